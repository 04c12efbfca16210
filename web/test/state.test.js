/** The state machine of the page: every pair of state and event. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGAIN, EVENTS, STATES, advice, isThinking, may, next, rest } from '../page/state.js';

/** All facts about a game. */
const NAMES = ['match', 'over', 'live', 'usersTurn', 'unjudged', 'objected'];
const FACTS = Array.from({ length: 64 }, (_, bits) => facts(NAMES.filter((_, bit) => bits & (1 << bit)).join(' ')));

/** The facts that hold; the others do not. @param {string} names @returns {import('../page/state.js').Facts} */
function facts(names) {
  const held = names.split(' ');
  return /** @type {any} */ (Object.fromEntries(NAMES.map((name) => [name, held.includes(name)])));
}

/** What is not here changes nothing; `rest` goes to where the facts say. @type {Record<string, Record<string, string>>} */
const EXPECTED = {
  loading: { changed: 'rest' },
  analysing: { changed: 'rest', browsed: 'rest', review: 'reviewing', learn: 'solving' },
  playing: { changed: 'rest', browsed: 'rest', hint: 'hinting', offer: 'offering' },
  browsing: { changed: 'rest', browsed: 'rest' },
  thinking: { changed: 'rest', browsed: 'rest', broke: 'failed' },
  waiting: { changed: 'rest', browsed: 'rest', broke: 'failed' },
  failed: { changed: 'rest', retry: 'rest' },
  hinting: { changed: 'rest', browsed: 'rest', offer: 'offering', answered: 'rest', broke: 'rest' },
  offering: { changed: 'rest', answered: 'rest', broke: 'rest' },
  judging: { changed: 'rest', answered: 'rest', broke: 'failed' },
  objecting: { changed: 'rest', accept: 'rest' },
  over: { changed: 'rest', browsed: 'rest', review: 'reviewing', learn: 'solving' },
  reviewing: { changed: 'rest', stop: 'rest', answered: 'rest', broke: 'rest' },
  solving: { changed: 'rest', browsed: 'rest', stop: 'rest', learn: 'solving', try: 'checking', right: 'solved', wrong: 'solving', show: 'solved' },
  checking: { changed: 'rest', browsed: 'rest', stop: 'rest', learn: 'solving', right: 'solved', wrong: 'solving', show: 'solved', broke: 'solving' },
  solved: { changed: 'rest', browsed: 'rest', stop: 'rest', learn: 'solving' },
};

test('every pair of state and event goes where it should', () => {
  let pairs = 0;
  for (const state of STATES) {
    for (const event of EVENTS) {
      for (const facts of FACTS) {
        const wanted = EXPECTED[state][event] ?? state;
        assert.equal(next(state, event, facts), wanted === 'rest' ? rest(facts) : wanted, `${state}, ${event}, ${JSON.stringify(facts)}`);
      }
      pairs += 1;
    }
  }
  assert.equal(pairs, 240);
});

test('the page rests where the facts say', () => {
  const at = (/** @type {string} */ names) => rest(facts(names));
  assert.equal(at('over live usersTurn'), 'analysing');
  assert.equal(at('match over'), 'over');
  assert.equal(at('match live usersTurn'), 'playing');
  assert.equal(at('match usersTurn'), 'browsing');
  assert.equal(at('match live'), 'thinking');
  assert.equal(at('match'), 'waiting');
  assert.equal(at('match live unjudged'), 'judging');
  assert.equal(at('match live objected'), 'objecting');
  // A move that draws by stalemate can be taken back.
  assert.equal(at('match over unjudged'), 'judging');
  assert.equal(at('match over objected'), 'objecting');
});

test('a change leaves every state, so that none is a dead end', () => {
  for (const state of STATES) for (const facts of FACTS) assert.equal(next(state, 'changed', facts), rest(facts), state);
});

test('after a reload the page comes back to every state', () => {
  const wanted = { hinting: 'match live usersTurn', offering: 'match live usersTurn', reviewing: 'match over', solving: '', checking: 'match over', solved: '' };
  for (const [state, names] of Object.entries(wanted)) {
    const held = facts(names);
    const events = AGAIN[/** @type {import('../page/state.js').State} */ (state)] ?? [];
    assert.equal(events.reduce((now, event) => next(now, event, held), rest(held)), state);
  }
  // The others are where the facts say, or need an engine that fails again.
  const rests = FACTS.map(rest);
  for (const state of STATES) assert(state in AGAIN || rests.includes(state) || ['loading', 'failed'].includes(state), state);
});

test('browsing leaves a mistake, and not what the coach says', () => {
  for (const state of /** @type {const} */ (['solving', 'checking', 'solved'])) assert.equal(next(state, 'browsed', facts('match over live')), 'over');
  for (const state of /** @type {const} */ (['judging', 'objecting'])) assert.equal(next(state, 'browsed', facts('match')), state);
});

test('the engine searches only for its own move, and the adviser never at the same time', () => {
  for (const state of STATES) {
    assert.equal(isThinking(state), ['thinking', 'waiting'].includes(state));
    if (isThinking(state)) assert.equal(advice(state, true), undefined);
  }
});

test('the adviser does what was asked, and lines only where they are wanted', () => {
  assert.deepEqual(
    STATES.map((state) => advice(state, true)),
    [undefined, 'lines', 'lines', 'lines', undefined, undefined, undefined, 'hint', 'offer', 'judge', undefined, 'lines', 'review', undefined, 'check', undefined],
  );
  for (const state of STATES) assert.notEqual(advice(state, false), 'lines');
});

test('what the user may do follows from the state', () => {
  const allowed = Object.fromEntries(Object.entries(may).map(([name, holds]) => [name, STATES.filter(holds)]));
  assert.deepEqual(allowed, {
    move: ['analysing', 'playing', 'hinting', 'over', 'reviewing', 'solving'],
    premove: ['thinking'],
    edit: ['analysing', 'over'],
    hint: ['playing'],
    offer: ['playing', 'hinting'],
    claim: ['playing', 'hinting'],
    takeBack: ['playing', 'thinking', 'hinting', 'judging', 'objecting', 'over'],
    accept: ['objecting'],
    resign: ['playing', 'browsing', 'thinking', 'waiting', 'failed', 'hinting', 'judging', 'objecting'],
    review: ['analysing', 'over', 'reviewing'],
    learn: ['analysing', 'over', 'solving', 'checking', 'solved'],
    show: ['solving', 'checking'],
    leave: ['solving', 'checking', 'solved'],
    lines: ['analysing', 'playing', 'browsing', 'over'],
  });
  // What is offered does something.
  const playing = facts('match live usersTurn');
  for (const state of STATES) {
    if (may.hint(state)) assert.notEqual(next(state, 'hint', playing), state);
    if (may.offer(state)) assert.notEqual(next(state, 'offer', playing), state);
    if (may.accept(state)) assert.notEqual(next(state, 'accept', playing), state);
    if (may.learn(state)) assert.equal(next(state, 'learn', playing), 'solving');
    if (may.show(state)) assert.equal(next(state, 'show', playing), 'solved');
    if (may.leave(state)) assert.equal(next(state, 'stop', playing), 'playing');
  }
});

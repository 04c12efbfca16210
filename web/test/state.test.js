/** The state machine of the page: every pair of state and event. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS, STATES, advice, isThinking, may, next, rest } from '../page/state.js';

/** All facts about a game. */
const FACTS = Array.from({ length: 16 }, (_, bits) => ({ match: !!(bits & 1), over: !!(bits & 2), live: !!(bits & 4), usersTurn: !!(bits & 8) }));

/** What is not here changes nothing; `rest` goes to where the facts say. @type {Record<string, Record<string, string>>} */
const EXPECTED = {
  loading: { changed: 'rest' },
  analysing: { changed: 'rest', browsed: 'rest', review: 'reviewing' },
  playing: { changed: 'rest', browsed: 'rest', hint: 'hinting', offer: 'offering' },
  browsing: { changed: 'rest', browsed: 'rest' },
  thinking: { changed: 'rest', browsed: 'rest', broke: 'failed' },
  waiting: { changed: 'rest', browsed: 'rest', broke: 'failed' },
  failed: { changed: 'rest', retry: 'rest' },
  hinting: { changed: 'rest', browsed: 'rest', offer: 'offering', answered: 'rest', broke: 'rest' },
  offering: { changed: 'rest', answered: 'rest', broke: 'rest' },
  over: { changed: 'rest', browsed: 'rest', review: 'reviewing' },
  reviewing: { changed: 'rest', stop: 'rest', answered: 'rest', broke: 'rest' },
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
  assert.equal(pairs, 99);
});

test('the page rests where the facts say', () => {
  const at = (/** @type {string} */ names) => rest(Object.fromEntries(['match', 'over', 'live', 'usersTurn'].map((name) => [name, names.includes(name)])));
  assert.equal(at('over live usersTurn'), 'analysing');
  assert.equal(at('match over'), 'over');
  assert.equal(at('match live usersTurn'), 'playing');
  assert.equal(at('match usersTurn'), 'browsing');
  assert.equal(at('match live'), 'thinking');
  assert.equal(at('match'), 'waiting');
});

test('a change leaves every state, so that none is a dead end', () => {
  for (const state of STATES) for (const facts of FACTS) assert.equal(next(state, 'changed', facts), rest(facts), state);
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
    [undefined, 'lines', 'lines', 'lines', undefined, undefined, undefined, 'hint', 'offer', 'lines', 'review'],
  );
  for (const state of STATES) assert.notEqual(advice(state, false), 'lines');
});

test('what the user may do follows from the state', () => {
  const allowed = Object.fromEntries(Object.entries(may).map(([name, holds]) => [name, STATES.filter(holds)]));
  assert.deepEqual(allowed, {
    move: ['analysing', 'playing', 'hinting', 'over', 'reviewing'],
    premove: ['thinking'],
    edit: ['analysing', 'over'],
    hint: ['playing'],
    offer: ['playing', 'hinting'],
    claim: ['playing', 'hinting'],
    takeBack: ['playing', 'thinking', 'hinting', 'over'],
    resign: ['playing', 'browsing', 'thinking', 'waiting', 'failed', 'hinting'],
    review: ['analysing', 'over', 'reviewing'],
    lines: ['analysing', 'playing', 'browsing', 'over'],
  });
  // What is offered does something.
  const facts = { match: true, over: false, live: true, usersTurn: true };
  for (const state of STATES) {
    if (may.hint(state)) assert.notEqual(next(state, 'hint', facts), state);
    if (may.offer(state)) assert.notEqual(next(state, 'offer', facts), state);
  }
});

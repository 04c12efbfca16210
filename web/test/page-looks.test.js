/** The page in Chromium: what is seen at each size, and what a keyboard and a screen reader get. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DESKTOP, OPERA, PHONE, SIZES, accept, accessible, coached, enter, eventually, isolated, learn, menu, moves, newGame, notTooWide, onPage, open, ready, resize, status, useBrowser } from './browser.js';

useBrowser(isolated);

onPage('what is needed to play is in sight at each size', { viewport: SIZES[0] }, async (page) => {
  await newGame(page, { level: '1000', clock: '5+3' });
  await enter(page, 'e4');
  await status(page, /Your move/);
  for (const viewport of SIZES) {
    const { width, height } = viewport;
    const where = `${width} × ${height}`;
    await resize(page, viewport);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.evaluate(() => document.querySelector('.side')?.scrollTo(0, 0));
    for (const selector of ['#new', '#menu-button', '#top .clock', '#board cg-board', '#bottom .clock', '#status', '#back', '#hint', '#draw', '#resign']) {
      const box = await page.locator(selector).boundingBox();
      assert(box && box.x >= -0.5 && box.y >= -0.5 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5, `${where}, ${selector}: ${JSON.stringify(box)}`);
    }
    const board = await page.locator('#board cg-board').boundingBox();
    assert(board && board.width > Math.min(width, height) * 0.72, `${where}: the board is ${board?.width} wide`);
    if (width > height && height > 500) {
      // The column beside the board ends with it, and nothing has to be scrolled.
      const scroll = await page.evaluate(() => document.documentElement.scrollHeight);
      assert(scroll <= height, `${where}: ${scroll} of ${height}`);
    }
    await notTooWide(page);
  }
});

onPage('the board can be used where the window is low and narrow', {}, async (page) => {
  for (const size of [{ width: 640, height: 360 }, { width: 568, height: 320 }, { width: 320, height: 256 }]) {
    await resize(page, size);
    const board = await page.locator('#board cg-board').boundingBox();
    assert(board && board.width >= 240, `${size.width} × ${size.height}: the board is ${board?.width} wide`);
    await notTooWide(page);
  }
});

onPage('no dialog is cut off at any size', { viewport: SIZES[0] }, async (page) => {
  for (const viewport of SIZES) {
    await resize(page, viewport);
    for (const [opener, dialog, isInMenu] of /** @type {const} */ ([['#new', 'new', false], ['#open', 'open', false], ['#share', 'share', false], ['#games', 'games', true], ['#edit', 'editor', true], ['#help', 'help', true]])) {
      const where = `${dialog} at ${viewport.width} × ${viewport.height}`;
      await (isInMenu ? menu(page, opener) : page.click(opener));
      await page.waitForSelector(`#${dialog}-dialog[open]`);
      const { box, cut, top } = await page.locator(`#${dialog}-dialog`).evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const all = [...element.querySelectorAll('*')].filter((part) => !part.closest('cg-container'));
        const cut = all.filter((part) => part.getClientRects().length > 0 && (part.getBoundingClientRect().left < left || part.getBoundingClientRect().right > right));
        return { box: [top, bottom], cut: cut.map((part) => part.outerHTML.slice(0, 80)), top: element.scrollTop };
      });
      assert(box[0] >= 0 && box[1] <= viewport.height, `${where}: from ${box[0]} to ${box[1]}`);
      assert.deepEqual(cut, [], where);
      assert.equal(top, 0, `${where} does not begin at its start`);
      await page.keyboard.press('Escape');
    }
    await notTooWide(page);
  }
});

onPage('the moves, the graph and the reason are in sight with a review, and the list follows the move on the board', {}, async (page) => {
  const sizes = SIZES.filter(({ width }) => width >= 1280);
  const place = () => page.locator('#board').boundingBox();
  await open(page, OPERA);
  const before = [];
  for (const size of sizes) {
    await resize(page, size);
    before.push(await place());
  }
  await resize(page, DESKTOP);
  await page.click('#tab-review');
  await page.click('#review');
  await status(page, /Reviewed/);
  await page.click('#mistake-after');
  for (const [index, size] of sizes.entries()) {
    const where = `${size.width} × ${size.height}`;
    if (index > 0) await resize(page, size);
    // What is said of the move has made the list lower.
    await page.waitForFunction(() => {
      const [list, move] = ['#moves', '#moves [aria-current]'].map((selector) => document.querySelector(selector)?.getBoundingClientRect());
      return list && move && move.top >= list.top - 1 && move.bottom <= list.bottom + 1;
    });
    const { rows, cut } = await page.evaluate(() => {
      const box = (/** @type {Element} */ element) => element.getBoundingClientRect();
      const all = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)];
      const [list] = all('#moves').map(box);
      const seen = all('#moves > small').map(box).filter(({ top, bottom }) => top >= list.top - 1 && bottom <= list.bottom + 1);
      const [study] = all('.study').map(box);
      const cut = all('#graph, #judgement, #better, #players-review, [data-learn]').filter((element) => box(element).bottom > study.bottom || box(element).right > study.right);
      return { rows: seen.length, cut: cut.map(({ id }) => id) };
    });
    assert(rows >= 10, `${where}: ${rows} rows of moves`);
    assert.deepEqual(cut, [], where);
    // The board stays where it was.
    assert.deepEqual(await place(), before[index], where);
  }
});

onPage('the page follows the theme of the system until another is chosen', { colorScheme: 'dark' }, async (page) => {
  const becomes = (/** @type {'dark' | 'light'} */ theme) =>
    page.waitForFunction(
      ([color, isDark]) => getComputedStyle(document.documentElement).backgroundColor === color && document.querySelector('#theme')?.getAttribute('aria-checked') === isDark,
      [{ dark: 'rgb(23, 26, 25)', light: 'rgb(237, 235, 228)' }[theme], String(theme === 'dark')],
    );
  await becomes('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await becomes('light');
  await menu(page, '#theme');
  await becomes('dark');
  for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(300);
    await becomes('dark');
  }
  await page.reload();
  await ready(page);
  await becomes('dark');
  // That of the system again.
  await menu(page, '#theme');
  await becomes('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await becomes('dark');
});

onPage('where the system chooses the colours, what is chosen is outlined, and the board stays', {}, async (page) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, OPERA);
  await page.press('body', 'ArrowRight');
  const look = (/** @type {string} */ selector) =>
    page.locator(selector).evaluate((element) => {
      const { outlineStyle, borderBottomStyle, backgroundImage } = getComputedStyle(element);
      return { outlineStyle, borderBottomStyle, backgroundImage };
    });
  assert.equal((await look('#moves [aria-current]')).outlineStyle, 'solid');
  assert.equal((await look('#tab-lines')).outlineStyle, 'solid');
  assert.deepEqual(await look('#tab-notes'), { outlineStyle: 'none', borderBottomStyle: 'none', backgroundImage: 'none' });
  assert.match((await look('#board cg-board')).backgroundImage, /gradient/);
});

onPage('keys of letters can be turned off, and the wish is remembered', {}, async (page) => {
  const isTurned = async (/** @type {string} */ key) => {
    await page.press('body', key);
    return (await page.locator('#board.orientation-black').count()) === 1;
  };
  assert.equal(await isTurned('f'), true);
  assert.equal(await page.getAttribute('#letters', 'aria-checked'), 'true');
  await menu(page, '#letters');
  await page.reload();
  await ready(page);
  assert.equal(await page.getAttribute('#letters', 'aria-checked'), 'false');
  assert.equal(await isTurned('f'), true);
  await open(page, OPERA);
  await page.press('body', 'ArrowRight');
  assert.equal(await page.textContent('#moves [aria-current]'), 'e4');
  await page.press('body', '?');
  await page.keyboard.press('Escape');
  await menu(page, '#letters');
  assert.equal(await isTurned('f'), false);
});

onPage('the theme is there before anything is drawn', { colorScheme: 'dark', begin: (page) => page.route('**/main.js*', () => {}) }, async (page) => {
  // Nothing is drawn before the style sheet is there.
  await page.waitForFunction(() => [...document.styleSheets].some((sheet) => sheet.href));
  assert.deepEqual(await page.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.documentElement).backgroundColor]), ['dark', 'rgb(23, 26, 25)']);
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  onPage(`axe finds nothing, ${colorScheme}`, { colorScheme }, async (page) => {
    await accessible(page, 'before the first move');
    await enter(page, 'e4');
    await status(page, /Your move/);
    await accessible(page, 'in a game');
    await open(page, OPERA);
    for (let ply = 0; ply < 9; ply += 1) await page.keyboard.press('ArrowRight');
    await page.press('body', 'l');
    await page.waitForFunction(() => document.querySelectorAll('#lines li').length === 3);
    await accessible(page, 'with lines');
    await page.click('#tab-notes');
    await page.click('#signs [data-glyph="3"]');
    await accessible(page, 'with notes');
    await page.click('#tab-gym');
    await accessible(page, 'with the endings');
    await page.click('#tab-review');
    await page.click('#menu-button');
    await accessible(page, 'with the menu');
    await page.keyboard.press('Escape');
    for (const [opener, dialog] of [['#new', 'new'], ['#open', 'open'], ['#share', 'share']]) {
      await page.click(opener);
      await accessible(page, dialog);
      await page.keyboard.press('Escape');
    }
    for (const [item, dialog] of [['#games', 'games'], ['#edit', 'editor'], ['#help', 'help']]) {
      await menu(page, item);
      await page.waitForSelector(`#${dialog}-dialog[open]`);
      await accessible(page, dialog);
      await page.keyboard.press('Escape');
    }
    await learn(page);
    await accessible(page, 'with a mistake');
    await page.click('#answer');
    await accessible(page, 'with the answer');
    await coached(page);
    await enter(page, 'Nc6');
    await status(page, /^12\. Nc6\?\?/);
    await accessible(page, 'with an objection');
  });
}

/**
 * Defines the functions `numbers` and `contrast` of colours in the page.
 * @param {import('playwright-core').Page} page
 */
const measureColours = (page) =>
  page.evaluate(() => {
    const numbers = (/** @type {string} */ color) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const light = (/** @type {string} */ color) => {
      const [r, g, b] = numbers(color).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (/** @type {string} */ one, /** @type {string} */ two) => {
      const [low, high] = [light(one), light(two)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    Object.assign(window, { numbers, contrast });
  });

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  onPage(`fields stand out from what lies around them, ${colorScheme}`, { colorScheme }, async (page) => {
    await measureColours(page);
    for (const opener of ['#new', '#open', '#share']) {
      await page.click(opener);
      const found = await page.evaluate(() => {
        const { contrast, numbers } = /** @type {any} */ (window);
        /** What an element lies on. @param {Element | null} element @returns {string} */
        const ground = (element) => {
          const { backgroundColor } = getComputedStyle(element ?? document.documentElement);
          return element && numbers(backgroundColor)[3] === 0 ? ground(element.parentElement) : backgroundColor;
        };
        const fields = [...document.querySelectorAll('textarea, select, input:not([type=checkbox], [type=radio], [type=file])')].filter((field) => field.getClientRects().length > 0);
        return fields.map((field) => ({ field: field.outerHTML.slice(0, 60), contrast: Math.min(contrast(getComputedStyle(field).borderTopColor, ground(field.parentElement)), contrast(getComputedStyle(field).borderTopColor, ground(field))) }));
      });
      assert(found.length > 1);
      for (const { field, contrast } of found) assert(contrast >= 3, `${field}: ${contrast}`);
      await page.keyboard.press('Escape');
    }
  });
}

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  onPage(`the square of the keyboard stands out from every square, ${colorScheme}`, { colorScheme }, async (page) => {
    await measureColours(page);
    await page.focus('#menu-button');
    await page.keyboard.press('Tab');
    await page.waitForSelector('#board square.cursor');
    const contrasts = await page.evaluate(() => {
      const { contrast } = /** @type {any} */ (window);
      const style = getComputedStyle(/** @type {Element} */ (document.querySelector('#board square.cursor')));
      const rings = [...(style.outlineStyle === 'none' ? [] : [style.outlineColor]), String(/rgb\([^)]*\)/.exec(style.boxShadow)?.[0])];
      const squares = ['--light', '--dark'].map((name) => {
        const square = document.body.appendChild(document.createElement('div'));
        square.style.color = `var(${name})`;
        return getComputedStyle(square).color;
      });
      return squares.map((square) => Math.max(...rings.map((ring) => contrast(ring, square))));
    });
    for (const contrast of contrasts) assert(contrast >= 3, `${contrasts}`);
  });
}

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  onPage(`where a piece may go, and what has moved, stands out from every square, ${colorScheme}`, { colorScheme }, async (page) => {
    await measureColours(page);
    const found = await page.evaluate(() => {
      const { contrast } = /** @type {any} */ (window);
      const board = /** @type {Element} */ (document.querySelector('#board cg-board'));
      const colour = (/** @type {string} */ name) => {
        const element = document.body.appendChild(document.createElement('div'));
        element.style.color = `var(${name})`;
        return getComputedStyle(element).color;
      };
      const numbers = (/** @type {string} */ text) => (text.match(/[\d.]+/g) ?? []).map(Number);
      return ['move-dest', 'oc move-dest', 'premove-dest', 'selected', 'last-move', 'current-premove'].map((name) => {
        const square = board.appendChild(document.createElement('square'));
        square.className = name;
        const style = getComputedStyle(square);
        const mark = String(/rgba?\([1-9][^)]*\)/.exec(name.includes('dest') ? style.backgroundImage : style.boxShadow)?.[0]);
        const [red, green, blue, alpha = 1] = numbers(mark);
        const contrasts = ['--light', '--dark'].map((ground) => {
          const below = numbers(colour(ground));
          const mixed = [red, green, blue].map((part, index) => part * alpha + below[index] * (1 - alpha));
          return contrast(`rgb(${mixed.map(Math.round)})`, colour(ground));
        });
        square.remove();
        return { name, mark, contrasts };
      });
    });
    for (const { name, mark, contrasts } of found) for (const contrast of contrasts) assert(contrast >= 3, `${name}, ${mark}: ${contrasts}`);
  });
}

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  onPage(`the letters and numbers on the squares can be read, ${colorScheme}`, { colorScheme }, async (page) => {
    await measureColours(page);
    for (const orientation of ['white', 'black']) {
      await page.waitForSelector(`#board.orientation-${orientation}`);
      const contrasts = await page.evaluate((isWhite) => {
        const { contrast } = /** @type {any} */ (window);
        const colours = ['--dark', '--light'].map((name) => {
          const square = document.body.appendChild(document.createElement('div'));
          square.style.color = `var(${name})`;
          return getComputedStyle(square).color;
        });
        // From a1 or h8, which are dark, along the edges. The numbers are at the right.
        const edge = (/** @type {string} */ selector, /** @type {number} */ first) =>
          [...document.querySelectorAll(`#board ${selector} coord`)].map((letter, index) => contrast(getComputedStyle(letter).color, colours[(index + first) % 2]) * Number(getComputedStyle(/** @type {Element} */ (letter.parentElement)).opacity));
        return [...edge('.files', isWhite ? 0 : 1), ...edge('.ranks', isWhite ? 1 : 0)];
      }, orientation === 'white');
      assert.equal(contrasts.length, 16);
      for (const contrast of contrasts) assert(contrast >= 4.5, `${orientation}: ${contrasts}`);
      await page.press('body', 'f');
    }
  });
}

onPage('the number in the evaluation bar can be read when Black is winning', {}, async (page) => {
  await measureColours(page);
  await open(page, '1. f3 e5 2. g4 *');
  await page.press('body', 'l');
  await page.locator('#bar span', { hasText: '#' }).waitFor();
  const contrast = await page.evaluate(() => {
    const [bar, number] = ['#bar', '#bar span'].map((selector) => getComputedStyle(/** @type {Element} */ (document.querySelector(selector))));
    return /** @type {any} */ (window).contrast(bar.backgroundColor, number.color);
  });
  assert(contrast >= 4.5, `${contrast}`);
});

onPage('axe finds nothing on a phone', { viewport: PHONE, colorScheme: 'dark' }, async (page) => {
  await enter(page, 'e4');
  await status(page, /Your move/);
  await accessible(page, 'phone');
});

onPage('the board is played by keyboard and says what is on it', {}, async (page) => {
  await page.focus('#move');
  await page.focus('#menu-button');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'board');
  const said = () => page.textContent('#announcer');
  await page.keyboard.press('ArrowRight');
  assert.equal(await said(), 'f2, white pawn');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await said(), 'e2, white pawn');
  await page.keyboard.press('Enter');
  assert.match(String(await said()), /e2, white pawn picked up\. To e3, e4\.|To e4, e3\./);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await status(page, /Tabiya plays/);
  assert.equal((await moves(page))[0], 'e4');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'board');
});

onPage('a piece that was picked up by keyboard is put back, and a move that is not legal is told', {}, async (page) => {
  const said = (/** @type {RegExp} */ pattern) => page.locator('#announcer').filter({ hasText: pattern }).waitFor({ state: 'attached' });
  const picked = () => page.locator('#board square.selected:visible').count();
  await page.focus('#menu-button');
  await page.keyboard.press('Tab');
  for (const [expected, count] of /** @type {const} */ ([[/picked up/, 1], [/^Put back\.$/, 0]])) {
    await page.keyboard.press('Enter');
    await said(expected);
    await eventually(async () => assert.equal(await picked(), count));
  }
  for (const key of ['Enter', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await said(/^e2 to e5 is not a legal move\.$/);
  assert.deepEqual(await moves(page), []);
  // The engine never answers.
  await page.evaluate(() => (Worker.prototype.postMessage = () => {}));
  await enter(page, 'd4');
  await status(page, /is thinking/);
  await page.focus('#board');
  await page.keyboard.press('ArrowDown');
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await said(/^e2, white pawn picked up for a move in advance\.$/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await said(/^e2 to e3 in advance\.$/);
});

onPage('a position that is looked at is announced with its comment', {}, async (page) => {
  await open(page, '1. e4 {best by test} e5 *');
  await page.press('body', 'Home');
  await page.press('body', 'ArrowRight');
  await eventually(async () => assert.equal(await page.textContent('#place'), '1. e4. Black to move. best by test'));
});

onPage('the keyboard stays at the lines when it plays one of their moves', {}, async (page) => {
  await page.press('body', 'l');
  const move = page.locator('#lines li button').nth(1);
  await move.focus();
  await page.keyboard.press('Enter');
  const isThere = () => page.evaluate(() => Boolean(document.querySelector('#lines')?.contains(document.activeElement)));
  assert(await isThere());
  await page.waitForFunction(() => document.querySelectorAll('#lines li').length > 0);
  assert(await isThere());
});

onPage('the board keeps the focus when a pawn is promoted by keyboard', {}, async (page) => {
  const focused = () => page.evaluate(() => document.activeElement?.id);
  await open(page, '7k/P7/8/8/8/8/8/K7 w - - 0 1');
  await page.focus('#menu-button');
  await page.keyboard.press('Tab');
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  for (let rank = 2; rank < 7; rank += 1) await page.keyboard.press('ArrowUp');
  for (const answer of ['Escape', 'Enter']) {
    for (const key of ['Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await page.waitForSelector('#promotion:not([hidden])');
    await page.keyboard.press(answer);
    await page.waitForSelector('#promotion', { state: 'hidden' });
    assert.equal(await focused(), 'board', answer);
    await page.keyboard.press('ArrowDown');
  }
  assert.deepEqual(await moves(page), ['a8=Q+']);
});

onPage('Tab passes the moves, but for the one on the board', {}, async (page) => {
  await open(page, OPERA);
  const walk = async (/** @type {number} */ count) => {
    await page.focus('#moves');
    for (let step = 0; step < count; step += 1) await page.keyboard.press('Tab');
    return page.evaluate(() => document.activeElement?.getAttribute('data-node') ?? document.activeElement?.id);
  };
  assert.equal(await walk(1), 'tab-lines');
  for (const expected of ['1', '2']) {
    await page.press('#moves', 'ArrowRight');
    assert.deepEqual([await walk(1), await walk(2)], [expected, 'remove']);
  }
});

onPage('Enter in a field of a new game starts it', {}, async (page) => {
  await page.click('#new');
  await page.selectOption('#new-dialog [name=side]', 'both');
  await page.focus('#new-dialog [name=chess960]');
  await page.keyboard.press('Enter');
  await page.locator('#bottom .name').getByText('White', { exact: true }).waitFor();
});

onPage('the second click that deletes a game is announced', {}, async (page) => {
  await enter(page, 'e4');
  await status(page, /Your move/);
  await open(page, OPERA);
  await menu(page, '#games');
  const remove = page.locator('#games-dialog li button:enabled').getByText('Delete');
  await remove.click();
  assert.match(String(await page.locator('#games-dialog li button', { hasText: 'Really?' }).getAttribute('aria-label')), /^Really delete You.*\?$/);
});

onPage('the focus is not lost when a choice is taken away', {}, async (page) => {
  const focused = () => page.evaluate(() => document.activeElement?.id);
  await learn(page);
  await page.focus('#answer');
  await page.keyboard.press('Enter');
  await status(page, /^The better move/);
  assert.equal(await focused(), 'status');
  await page.focus('#next-mistake');
  await page.keyboard.press('Enter');
  await status(page, /^Mistake 2/);
  assert.equal(await focused(), 'next-mistake');
  await page.focus('#leave-mistakes');
  await page.keyboard.press('Enter');
  assert.equal(await focused(), 'status');
});

onPage('the focus is not lost when a button is disabled', {}, async (page) => {
  await page.focus('#hint');
  await page.keyboard.press('Enter');
  await status(page, /Hint: /);
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
});

onPage('the focus is not lost when a button has done all that it can do', {}, async (page) => {
  const press = async (/** @type {string} */ selector) => {
    await page.focus(selector);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(100);
    assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY', selector);
  };
  await open(page, '1. e4 *');
  await page.press('body', 'End');
  await press('#remove');
  await press('#undo');
  await press('#redo');
  await newGame(page, { side: 'both' });
  for (const move of ['Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3', 'Nf6', 'Ng1', 'Ng8']) await enter(page, move);
  await press('#back');
  await enter(page, 'Ng8');
  await press('#claims button');
  await newGame(page, { side: 'both' });
  for (const move of ['e4', 'e5']) await enter(page, move);
  await press('#draw');
  await page.click('#confirm-dialog [value=cancel]');
  await status(page, /^White to move/);
  await press('#draw');
  await accept(page, '#confirm-dialog');
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
  await page.focus('#menu-button');
  await page.keyboard.press('Enter');
  await press('#theme');
});

onPage('the focus is not lost when a lesson or an end takes away what has it', {}, async (page) => {
  const keeps = async (/** @type {string} */ selector, /** @type {string} */ key) => {
    await page.focus(selector);
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
    assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY', selector);
  };
  await learn(page);
  for (const selector of ['#review', '#lines-on', '#undo']) {
    await page.click('#leave-mistakes');
    if (selector !== '#undo') await page.click(selector === '#review' ? '#tab-review' : '#tab-lines');
    await keeps(selector, 'L');
  }
  await page.click('#leave-mistakes');
  await page.press('body', 'End');
  await page.click('#tab-notes');
  await keeps('[data-glyph="1"]', 'Home');
});

onPage('after a click of the mouse, space plays the best move', {}, async (page) => {
  await open(page, '1. e4 *');
  for (const clicked of ['#lines-on', '[data-go=previous]']) {
    await page.click(clicked);
    await page.waitForFunction(() => document.querySelectorAll('#lines li').length > 0);
    const before = await page.textContent('#pieces');
    await page.keyboard.press('Space');
    await page.waitForFunction((before) => document.querySelector('#pieces')?.textContent !== before, before);
  }
  // The keyboard's own press of a button stays where it is.
  await page.focus('[data-go=previous]');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-go')), 'previous');
});

onPage('captured pieces are shown with the points that one is ahead', {}, async (page) => {
  await open(page, '1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ *');
  assert.equal(await page.locator('#bottom .captured piece.pawn.black').count(), 1);
  assert.equal(await page.locator('#top .captured piece.pawn.white').count(), 1);
  await open(page, '4k3/8/8/8/8/8/8/3QK3 w - - 0 1');
  assert.equal(await page.textContent('#bottom .captured'), '+9');
});

onPage('captured pieces count from the start of the game, also if it begins on the same board', {}, async (page) => {
  await open(page, '1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ 4. Be2 *');
  await page.press('body', 'End');
  assert.equal(await page.locator('.captured piece').count(), 2);
  await page.click('#new');
  await page.check('#new-dialog [name=from-here]');
  await page.selectOption('#new-dialog [name=side]', 'both');
  await accept(page, '#new-dialog');
  await page.waitForFunction(() => document.querySelectorAll('.captured piece').length === 0);
});

onPage('keys with Alt are those of the browser', {}, async (page) => {
  await open(page, OPERA);
  for (const selector of ['#board', '#tab-lines', '#moves']) {
    const isTaken = await page.locator(selector).evaluate((element) => !element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: true, bubbles: true, cancelable: true })));
    assert(!isTaken, selector);
  }
});

onPage('sounds are off until they are wanted, and the wish is remembered', {}, async (page) => {
  assert.equal(await page.getAttribute('#sounds', 'aria-checked'), 'false');
  await menu(page, '#sounds');
  assert.equal(await page.getAttribute('#sounds', 'aria-checked'), 'true');
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  assert.equal(await page.getAttribute('#sounds', 'aria-checked'), 'true');
});

test('the icon is square', () => {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(readFileSync(join(import.meta.dirname, '../site/icon.svg'), 'utf8')) ?? [];
  assert.equal(width, height);
});

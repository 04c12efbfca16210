/** The review of a game, and the lesson that its mistakes make. */
import { mistakes } from './judged.js';
import { Lesson } from './lesson.js';
import { reviewGame } from './review.js';

/** @typedef {import('./words.js').Color} Color */
/**
 * What is kept of it.
 * @typedef {object} KeptStudy
 * @property {import('./review.js').GameReview} [review]
 * @property {import('./review.js').Searched} [searched]  of a review that has not ended
 * @property {import('./lesson.js').KeptLesson} [lesson]
 */

export class Study {
  /** The last review. @type {import('./review.js').GameReview | undefined} */
  review;
  /** @type {Lesson | undefined} */
  lesson;
  #tree;
  /** What a review that was stopped has found. @type {import('./review.js').Searched | undefined} */
  #searched;

  /** @param {import('./tree.js').Tree} tree  the game on the board */
  constructor(tree) {
    this.#tree = tree;
  }

  /** How many positions a review has searched that has not ended. */
  get searched() {
    return this.#searched?.lines.length ?? 0;
  }

  /** The marked moves of a player. @param {Color} color */
  mistakes(color) {
    return mistakes(this.review, this.#tree.nodes, color);
  }

  /** Begins with the mistakes of a player, or goes on where they were left. Returns whether there are any. @param {Color} color */
  learn(color) {
    const list = this.mistakes(color);
    if (list.length > 0) this.lesson = Lesson.begin(list, color, this.lesson);
    return list.length > 0;
  }

  /**
   * Reviews the game. Resolves with how many moves are marked, and with `undefined` if it was stopped.
   * @param {import('./engines.js').RestartingEngine} engine  at full strength
   * @param {() => boolean} isCurrent
   * @param {() => void} onProgress  another position is searched
   */
  async runReview(engine, isCurrent, onProgress) {
    const path = this.#tree.mainLine;
    const progress = (/** @type {import('./review.js').Searched} */ searched) => {
      if (!isCurrent()) return;
      this.#searched = searched;
      onProgress();
    };
    const review = await reviewGame(engine, this.#tree.game, path, progress, this.#searched, this.review);
    if (!review || !isCurrent()) return undefined;
    this.#tree.touch();
    this.review = review;
    this.#searched = undefined;
    this.lesson = undefined;
    return review.moves.filter(({ mark }) => mark).length;
  }

  /** @returns {KeptStudy} */
  get kept() {
    return { review: this.review, searched: this.#searched, lesson: this.lesson?.kept };
  }

  /** Goes on with what was kept of this game. @param {KeptStudy} kept */
  restore({ review, searched, lesson }) {
    this.review = review;
    this.#searched = searched;
    if (!lesson) return;
    // The review finds the mistakes again.
    const list = this.mistakes(lesson.color);
    if (lesson.index < list.length) this.lesson = new Lesson(list, lesson);
  }
}

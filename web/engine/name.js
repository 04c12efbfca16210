/** The name by which a worker of `tabiya.js` knows that it only searches. */
export const SEARCHER = 'tabiya-searcher';

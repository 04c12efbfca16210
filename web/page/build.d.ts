/** Files that the service worker keeps; `build.js` defines it. */
declare const FILES: string[];
/** Hash of their content. */
declare const VERSION: string;

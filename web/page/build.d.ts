/** Files that the service worker keeps; `build.js` defines it. */
declare const FILES: string[];
/** Hash of the content of all files. */
declare const VERSION: string;

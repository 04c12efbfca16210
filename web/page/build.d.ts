/** Files that the service worker keeps, with the digest of each; `build.js` defines it. */
declare const FILES: Record<string, string>;
/** Hash of the content of all files. */
declare const VERSION: string;

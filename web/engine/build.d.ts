/** What `build.js` puts in place: sizes, workers as texts, and packed WebAssembly. */
declare const ENGINE_BYTES: number;
declare const RULES_BYTES: number;
declare module '*.txt' {
  const text: string;
  export default text;
}
declare module '#engine-data' {
  const base64: string;
  export default base64;
}
declare module '#rules-data' {
  const base64: string;
  export default base64;
}
interface ImportMeta {
  /** Of Vite. */
  env?: { PROD?: boolean };
}

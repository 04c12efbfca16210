/**
 * A game or position in the address: `#fen=…`, `#pgn=…`, or `#game=…` with the PGN compressed
 * (deflate, base64url). What stands after `#` is not sent to the server.
 */

/** Letters of the longest PGN that an address may unpack to: it may come from anyone. */
const LONGEST = 2 << 20;

export const UNREADABLE = 'The address has a game that cannot be read: part of it may be missing.';

/** @param {{ fen?: string, pgn?: string }} what */
export async function addressOf({ fen, pgn }) {
  if (pgn === undefined) return `#fen=${String(fen).replaceAll(' ', '_')}`;
  if (typeof CompressionStream === 'undefined') return `#pgn=${encodeURIComponent(pgn)}`;
  const stream = new Blob([pgn]).stream().pipeThrough(new CompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `#game=${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/**
 * The text of a game or position; `undefined` if the address has none.
 * @param {string} hash
 * @returns {Promise<string | undefined>}
 */
export async function textOf(hash) {
  const [, kind, value] = /^#(fen|pgn|game)=(.*)$/s.exec(hash) ?? [];
  if (kind === undefined) return undefined;
  try {
    if (kind !== 'game') return decodeURIComponent(value);
    const bytes = Uint8Array.from(atob(value.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value: chunk } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(chunk, { stream: true });
      if (text.length > LONGEST) throw new Error('too long');
    }
  } catch {
    throw new Error(UNREADABLE);
  }
}

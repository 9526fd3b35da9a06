import { transcode } from 'node:buffer';

/** Pages are shorter than this; a longer text gets a buffer of its own. */
const SCRATCH_BYTES = 524_288;
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

/**
 * The UTF-8 bytes of a text. Node encodes a long Japanese text from UTF-16 bytes in a third of the time that it needs for the
 * string itself.
 */
export function encodeText(text: string): Buffer {
  const bytes = text.length * 2;
  const utf16 = bytes <= SCRATCH_BYTES ? scratch : Buffer.allocUnsafe(bytes);
  try {
    return transcode(utf16.subarray(0, utf16.write(text, 'utf16le')), 'utf16le', 'utf8');
  } catch {
    // A lone surrogate has no UTF-8 form. Buffer.from replaces it.
    return Buffer.from(text);
  }
}

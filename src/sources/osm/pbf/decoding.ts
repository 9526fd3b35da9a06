import { BrokenFile } from '../../../files/broken-file.ts';

/** What fails while bytes are decoded says that they are damaged. */
export function decoding<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof BrokenFile ? error : new BrokenFile('a blob of it is damaged', { cause: error });
  }
}

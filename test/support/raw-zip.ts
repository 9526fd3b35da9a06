import { crc32, deflateRawSync } from 'node:zlib';

export interface RawEntry {
  /** Written as given; a regular zip writer refuses most of these. */
  name: string | Buffer;
  content: Buffer | string;
  stored?: boolean;
  /** The stated size, if it differs from the real one. */
  claimedSize?: number;
  /** The number of directory entries that point to these bytes. */
  times?: number;
  /** Whether the name is flagged as UTF-8. */
  utf8?: boolean;
  /** The stated compression method. */
  method?: number;
  /** The Unix mode. */
  mode?: number;
}

/** Writes a zip, including invalid ones. */
export function rawZip(entries: readonly RawEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, stored = false, claimedSize, times = 1, utf8 = true, method, mode = 0 } of entries) {
    const how = { method: method ?? (stored ? 0 : 8), flags: utf8 ? 0x800 : 0 };
    const plain = Buffer.from(content as Buffer);
    const packed = stored ? plain : deflateRawSync(plain);
    const sizes = { crc: crc32(plain), packed: packed.length, plain: claimedSize ?? plain.length };
    const local = header(0x04034b50, 30, how, sizes, name);
    locals.push(local, packed);
    for (let i = 0; i < times; i++) {
      const central = header(0x02014b50, 46, how, sizes, i === 0 ? name : `${i}-${name}`);
      central.writeUInt32LE((mode << 16) >>> 0, 38);
      central.writeUInt32LE(offset, 42);
      directory.push(central);
    }
    offset += local.length + packed.length;
  }
  const end = Buffer.alloc(22);
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

function header(
  signature: number,
  length: number,
  { method, flags }: { method: number; flags: number },
  sizes: { crc: number; packed: number; plain: number },
  name: string | Buffer,
): Buffer {
  const bytes = Buffer.from(name as Buffer);
  const head = Buffer.alloc(length);
  const at = length === 30 ? 4 : 6;
  head.writeUInt32LE(signature, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(20, at);
  head.writeUInt16LE(flags, at + 2);
  head.writeUInt16LE(method, at + 4);
  head.writeUInt32LE(sizes.crc, at + 10);
  head.writeUInt32LE(sizes.packed, at + 14);
  head.writeUInt32LE(sizes.plain, at + 18);
  head.writeUInt16LE(bytes.length, at + 22);
  return Buffer.concat([head, bytes]);
}

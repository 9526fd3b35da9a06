import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { createReadStream as CreateReadStream } from 'node:fs';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { archiveFile, placeOf } from '../../src/observations/archive.ts';

/** Replaces the streams that the archive reads: the first hashes, the second copies. */
const streams = vi.hoisted(() => ({
  opened: 0,
  instead: undefined as undefined | ((turn: number, file: string) => unknown),
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const createReadStream = (...args: Parameters<typeof CreateReadStream>) => {
    streams.opened += 1;
    return streams.instead?.(streams.opened, String(args[0])) ?? fs.createReadStream(...args);
  };
  return { ...fs, createReadStream };
});

const LARGE = 2_500_000;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('the archive', () => {
  let dir: string;
  let archive: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'tatemono-archive-'));
    archive = join(dir, 'archive');
    streams.opened = 0;
    streams.instead = undefined;
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const write = (bytes: string | Uint8Array, name = 'file') => {
    writeFileSync(join(dir, name), bytes);
    return join(dir, name);
  };
  /** Every file of the archive, including drafts. */
  const names = () => {
    const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return files.filter((file) => file.startsWith(archive + sep)).map((file) => relative(archive, file));
  };
  const expectWhole = ({ path, sha256: hash, bytes }: Awaited<ReturnType<typeof archiveFile>>) => {
    expect(path).toBe(placeOf(archive, hash));
    expect(sha256(readFileSync(path))).toBe(hash);
    expect(statSync(path).size).toBe(bytes);
  };

  it.each([
    ['text', Buffer.from('{"kind":"area"}\n')],
    ['nothing', Buffer.alloc(0)],
    ['bytes that are no text', Buffer.from([0, 0xff, 0xfe, 0x0d, 0x0a])],
    ['more than one read', Buffer.alloc(LARGE, 'tatemono')],
  ])('keeps a file under the hash of its bytes: %s', async (_, bytes) => {
    const archived = await archiveFile(archive, write(bytes));
    const hash = sha256(bytes);
    expect(archived).toEqual({
      sha256: hash,
      path: join(archive, 'sha256', hash.slice(0, 2), hash.slice(2)),
      bytes: bytes.length,
      blockSums: Uint32Array.from({ length: Math.ceil(bytes.length / (1 << 20)) }, (_, i) =>
        crc32(bytes.subarray(i << 20, (i + 1) << 20)),
      ),
    });
    expect(readFileSync(archived.path).equals(bytes)).toBe(true);
    expect(names()).toEqual([join('sha256', hash.slice(0, 2), hash.slice(2))]);
  });

  it('stores any bytes unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expectWhole(await archiveFile(archive, write(bytes)));
      }),
      { numRuns: 30 },
    );
  });

  it('does not change the input', async () => {
    const file = write('bytes');
    const before = statSync(file);
    await archiveFile(archive, file);
    expect(readFileSync(file, 'utf8')).toBe('bytes');
    expect(statSync(file).mtimeMs).toBe(before.mtimeMs);
  });

  it('writes the same bytes once, whatever their name', async () => {
    const first = await archiveFile(archive, write('same', 'a'));
    utimesSync(first.path, 1, 1);
    const before = statSync(first.path);
    const again = await archiveFile(archive, write('same', 'b'));
    expect(again).toEqual(first);
    expect(statSync(first.path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(names()).toHaveLength(1);
  });

  it('stores other bytes in another file', async () => {
    const [a, b] = [await archiveFile(archive, write('one')), await archiveFile(archive, write('two'))];
    expect(a.path).not.toBe(b.path);
    expect(readFileSync(a.path, 'utf8')).toBe('one');
    expect(names()).toHaveLength(2);
  });

  it('has one file if several archive the same at once', async () => {
    const file = write(Buffer.alloc(LARGE, 'x'));
    const all = await Promise.all(Array.from({ length: 6 }, () => archiveFile(archive, file)));
    for (const archived of all) expectWhole(archived);
    expect(names()).toHaveLength(1);
  });

  it('has no file after a failed copy, and has it after a second try', async () => {
    const file = write(Buffer.alloc(LARGE, 'x'));
    streams.instead = (turn) => {
      if (turn !== 2) return undefined;
      return Readable.from(
        (function* () {
          yield Buffer.alloc(1_000_000, 'x');
          throw new Error('the disk is gone');
        })(),
      );
    };
    await expect(archiveFile(archive, file)).rejects.toThrow('the disk is gone');
    expect(names()).toEqual([]);
    streams.instead = undefined;
    expectWhole(await archiveFile(archive, file));
    expect(names()).toHaveLength(1);
  });

  it('is consistent if the file changes between hashing and copying', async () => {
    const file = write('before');
    streams.instead = (turn) => {
      if (turn === 2) writeFileSync(file, 'after, and longer');
      return undefined;
    };
    const archived = await archiveFile(archive, file);
    expectWhole(archived);
    expect(archived.sha256).toBe(sha256(Buffer.from('after, and longer')));
    expect(names()).toHaveLength(1);
  });

  it('is consistent if the file changes during the copy', async () => {
    const file = write(Buffer.alloc(LARGE, 'x'));
    streams.instead = (turn) => {
      if (turn !== 2) return undefined;
      return Readable.from(
        (function* () {
          yield readFileSync(file).subarray(0, 1_000_000);
          appendFileSync(file, 'and more');
          yield readFileSync(file).subarray(1_000_000);
        })(),
      );
    };
    const archived = await archiveFile(archive, file);
    expectWhole(archived);
    expect(archived.bytes).toBe(LARGE + 'and more'.length);
    expect(names()).toHaveLength(1);
  });

  it('accepts a pipe, which can be read only once', async () => {
    const bytes = Buffer.alloc(LARGE, 'pipe');
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (let i = 0; i < 2; i++) {
      const [archived] = await Promise.all([archiveFile(archive, pipe), writeFile(pipe, bytes)]);
      expectWhole(archived);
      expect(archived.sha256).toBe(sha256(bytes));
    }
    expect(names()).toHaveLength(1);
  });

  it('writes nothing for a missing file', async () => {
    await expect(archiveFile(archive, join(dir, 'missing'))).rejects.toThrow('no such file');
    expect(names()).toEqual([]);
  });

  it('leaves no draft if the folder cannot be created', async () => {
    const file = write('bytes');
    mkdirSync(join(archive, 'sha256'), { recursive: true });
    const blocked = join(archive, 'sha256', sha256(Buffer.from('bytes')).slice(0, 2));
    writeFileSync(blocked, 'a file where a folder should be');
    await expect(archiveFile(archive, file)).rejects.toThrow();
    expect(names()).toEqual([relative(archive, blocked)]);
  });
});

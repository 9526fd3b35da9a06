import { describe, expect, it } from 'vitest';
import { FairPlaces, type FreePlace, type PlaceLimits } from '../../src/vocabulary/fair-places.ts';

const LONG = 60_000;

function open(limits: Partial<PlaceLimits> = {}) {
  const places = new FairPlaces({ atOnce: 4, waiting: 100, waitMs: LONG, ...limits });
  const served: string[] = [];
  const refused: string[] = [];
  const frees: FreePlace[] = [];
  /** Takes a place, and notes when it was given or refused. */
  const take = (client: string, holder?: Parameters<FairPlaces['take']>[1]) => {
    const given = Promise.resolve(places.take(client, holder)).then((free) => {
      if (free === undefined) refused.push(client);
      else {
        served.push(client);
        frees.push(free);
      }
      return free;
    });
    return given;
  };
  const freeNext = async () => {
    frees.shift()?.();
    await settle();
  };
  return { places, served, refused, take, freeNext };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('places that clients share', () => {
  it('SHR-01 are all for one client while no other wants one', async () => {
    const { places, served, take } = open();
    await Promise.all(['a', 'a', 'a', 'a'].map((client) => take(client)));
    expect([places.taken, served]).toEqual([4, ['a', 'a', 'a', 'a']]);
  });

  it('SHR-01 go to the waiting client that has the fewest, then to the one that was served the longest ago', async () => {
    const { served, take, freeNext } = open({ atOnce: 1 });
    await take('a');
    for (const client of ['a', 'a', 'a', 'b', 'b', 'c']) void take(client);
    for (let i = 0; i < 6; i++) await freeNext();
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
  });

  it('SHR-01 a client with a thousand waiting requests delays another by one place', async () => {
    const { served, take, freeNext } = open({ atOnce: 2, waiting: 1_000 });
    await Promise.all([take('a'), take('a')]);
    for (let i = 0; i < 900; i++) void take('a');
    void take('b');
    await freeNext();
    expect(served).toEqual(['a', 'a', 'b']);
  });

  it('SHR-01 a client that has its share is refused at once if it may not wait', async () => {
    const { refused, served, take } = open({ greedyWait: false });
    for (let i = 0; i < 4; i++) await take('a');
    expect(await take('a')).toBeUndefined();
    void take('b');
    await settle();
    expect([refused, served.length]).toEqual([['a'], 4]);
  });

  it('SHR-01 too many waiting requests: the client with the most gives up its newest for another', async () => {
    const { refused, take } = open({ atOnce: 1, waiting: 3 });
    await take('a');
    for (let i = 0; i < 3; i++) void take('a');
    void take('a');
    void take('b');
    void take('b');
    await settle();
    expect(refused).toEqual(['a', 'a', 'b']);
  });

  it('SHR-01 a request that waits too long is refused', async () => {
    const { refused, take, freeNext, places } = open({ atOnce: 1, waitMs: 1 });
    await take('a');
    expect(await take('b')).toBeUndefined();
    expect(refused).toEqual(['b']);
    await freeNext();
    expect(places.taken).toBe(0);
  });

  it('SHR-01 beyond a share are lost to another client, those of the client with the most first', async () => {
    const { places, served, take } = open({ atOnce: 8 });
    const lost: string[] = [];
    const losing = async (client: string) => {
      const free = await take(client, {
        mayLose: (isGreedy) => isGreedy,
        lose() {
          lost.push(client);
          free?.();
        },
      });
    };
    for (const client of ['a', 'a', 'a', 'b', 'b', 'b', 'b', 'b']) await losing(client);
    await take('c');
    // Then both have three, and the first is asked first.
    await take('c');
    expect(lost).toEqual(['b', 'b']);
    // It has its share now, and waits like anybody.
    void take('c');
    await settle();
    expect([lost.length, places.taken, served.slice(8)]).toEqual([2, 8, ['c', 'c']]);
  });

  it('SHR-01 within a share are never lost', async () => {
    const { take, served } = open({ waitMs: 100 });
    const kept = { mayLose: (isGreedy: boolean) => isGreedy, lose: () => expect.unreachable() };
    for (const client of ['a', 'b', 'c', 'd']) await take(client, kept);
    expect(await take('e')).toBeUndefined();
    expect(served).toEqual(['a', 'b', 'c', 'd']);
  });
});

import { expect, it } from 'vitest';
import type { PositionStore } from '../../../../../server/store/fleet/positions.ts';
import { createPositionReader } from '../../../../../server/tracks/engine/positionReader.ts';

/** A position each second from 0 on, in parts of 700. */
function openReader(count: number) {
  const asked: number[] = [];
  const columns = async function* (_incarnation: number, { fromMs, toMs }: { fromMs: number; toMs: number }) {
    asked.push(fromMs);
    const times = Array.from({ length: count }, (_, at) => at * 1_000).filter((atMs) => atMs >= fromMs && atMs < toMs);
    for (let start = 0; start < times.length; start += 700) {
      const deviceTimeMs = Float64Array.from(times.slice(start, start + 700));
      const zeros = new Float64Array(deviceTimeMs.length);
      yield {
        count: deviceTimeMs.length,
        deviceTimeMs,
        receivedAtMs: deviceTimeMs.map((atMs) => atMs + 5),
        isLate: zeros.fill(1),
        latitude: zeros,
        longitude: zeros,
        speedKmh: zeros,
        statusBits: zeros,
        mileageKm: zeros.map(() => Number.NaN),
        fuelLiters: zeros,
      };
    }
  };
  const positions = createPositionReader({ columns: columns as unknown as PositionStore['columns'] }).open(1);
  const read = async (fromMs: number, toMs: number) => {
    const pages = [];
    for await (const page of positions.read({ fromMs, toMs })) pages.push(page);
    return pages;
  };
  return { asked, read };
}

const timesOf = (pages: readonly (readonly { readonly deviceTimeMs: number }[])[]) =>
  pages.flat().map(({ deviceTimeMs }) => deviceTimeMs);

it('spans that follow each other are read once, each up to its end, in short pages', async () => {
  const { asked, read } = openReader(2_000);
  const [first, second, third] = [await read(0, 650_000), await read(650_000, 1_999_000), await read(1_999_000, 9e6)];
  expect(timesOf([...first, ...second, ...third])).toEqual(Array.from({ length: 2_000 }, (_, at) => at * 1_000));
  expect([timesOf(first).length, timesOf(second).length, timesOf(third).length]).toEqual([650, 1_349, 1]);
  expect(Math.max(...[...first, ...second].map(({ length }) => length))).toBeLessThanOrEqual(500);
  expect(await read(9e6, 1e7)).toEqual([]);
  expect(asked).toEqual([0]);
});

it('another span is read by itself, and the first one still goes on', async () => {
  const { asked, read } = openReader(10);
  expect(timesOf(await read(0, 3_000))).toEqual([0, 1_000, 2_000]);
  expect(timesOf(await read(1_000, 2_000))).toEqual([1_000]);
  expect(timesOf(await read(3_000, 5_000))).toEqual([3_000, 4_000]);
  expect(asked).toEqual([0, 1_000]);
});

it('what was not reported is not there', async () => {
  const { read } = openReader(1);
  const [position] = (await read(0, 1_000)).flat();
  expect(position).toMatchObject({ receivedAtMs: 5, isLate: true, mileageKm: undefined, fuelLiters: 1 });
});

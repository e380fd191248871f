import { gpx as readGpx, kml as readKml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import readSheets from 'read-excel-file/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTrackScene, positionOf, START, type TrackScene } from './trackScene.ts';

const FILE = { deviceid: 'BUS1', fromMs: START, toMs: START + 3_600_000, language: 'jp', timeZone: 'Asia/Tokyo' };
const COUNT = 1_300;

describe('exports of a track', () => {
  let scene: TrackScene;
  beforeEach(async () => {
    scene = await createTrackScene();
    const { test, bus } = scene;
    const positions = Array.from({ length: COUNT }, (_, at) =>
      positionOf(bus, START + at * 1_000, { longitude: 13 + at / 1_000, fuelLiters: 50.5, speedKmh: at % 90 }),
    );
    await test.stores.positions.append(positions);
  });
  afterEach(() => scene.test.close());

  const parse = (text: string): Document => new DOMParser().parseFromString(text, 'text/xml') as unknown as Document;
  const auditOf = async () => {
    const rows = await scene.test.db.selectFrom('audit').selectAll().execute();
    return rows.filter(({ action }) => action === 'track.export');
  };

  it('CSV has all positions, on the clock of the zone, and is in the audit', async () => {
    const answer = await scene.download({ ...FILE, format: 'csv' });
    expect(answer.headers['content-disposition']).toBe('attachment; filename="track_BUS1_20261123T080000Z.csv"');
    const [head, first, ...rest] = answer.body.trim().split('\r\n');
    expect(head).toMatch(/^\ufeff?time,device time,received,late,fix,latitude,longitude/);
    expect(first).toMatch(
      /^2026-11-23T17:00:00\.000\+09:00,2026-11-23T17:00:00\.000\+09:00,.*,0,1,52,13,30,0,90,1,0,,50\.5,,$/,
    );
    expect(rest).toHaveLength(COUNT - 1);
    expect(await auditOf()).toMatchObject([{ actor: 'driver', target: 'BUS1' }]);
  });

  it('GPX and KML are read by another program, with the name as it was typed', async () => {
    const gpx = await scene.download({ ...FILE, format: 'gpx' });
    expect(gpx.headers['content-type']).toBe('application/gpx+xml');
    const [track] = readGpx(parse(gpx.body)).features;
    expect(track?.properties?.name).toBe('BUS1 =Bus <1> P&1');
    expect(track?.geometry.type === 'LineString' && track.geometry.coordinates).toHaveLength(COUNT);
    const kml = await scene.download({ ...FILE, format: 'kml' });
    const [placemark] = readKml(parse(kml.body)).features;
    expect(placemark?.properties?.name).toBe('BUS1 =Bus <1> P&1');
    expect(placemark?.properties?.coordinateProperties?.times).toHaveLength(COUNT);
  });

  it('GeoJSON has all positions', async () => {
    const answer = await scene.download({ ...FILE, format: 'geojson' });
    const { features } = answer.json();
    const points = features.filter(({ geometry }: { geometry: { type: string } }) => geometry.type === 'Point');
    expect(points).toHaveLength(COUNT);
  });

  it('the spreadsheet has real times and numbers, under names in the language', async () => {
    const answer = await scene.download({ ...FILE, format: 'xlsx' });
    const [sheet] = await readSheets(answer.rawPayload);
    const rows = sheet?.data ?? [];
    expect(rows).toHaveLength(COUNT + 1);
    expect(rows[0]?.slice(0, 2)).toEqual(['時刻', 'デバイスの時刻']);
    expect(rows[1]?.slice(0, 7)).toEqual([
      ...[new Date(START + 9 * 3_600_000), new Date(START + 9 * 3_600_000), new Date(START + 9 * 3_600_000)],
      ...[52, 13, 'はい', 0],
    ]);
    expect(rows[COUNT]?.slice(4, 12)).toEqual([14.299, 'はい', 39, 90, 30, 'はい', null, 50.5]);
  });

  it('refuse what is no format, language or zone, and spans that are none', async () => {
    const statusOf = async (body: object) => (await scene.export({ ...FILE, format: 'csv', ...body })).statusCode;
    expect(await statusOf({ format: 'pdf' })).toBe(400);
    expect(await statusOf({ fromMs: -1 })).toBe(400);
    expect(await statusOf({ fromMs: 1.5 })).toBe(400);
    expect(await statusOf({ toMs: START })).toBe(400);
    expect(await statusOf({ toMs: START + 32 * 86_400_000 })).toBe(400);
    expect(await statusOf({ fromMs: 1e300, toMs: 1.1e300 })).toBe(400);
    expect(await statusOf({ language: 'xx' })).toBe(422);
    expect(await statusOf({ timeZone: 'Mars/Olympus' })).toBe(422);
    expect(await statusOf({ more: 1 })).toBe(400);
  });

  it('end with the right to see the device', async () => {
    const { test, bus } = scene;
    const answer = await scene.export({ ...FILE, format: 'csv' });
    await test.stores.devices.update('BUS1', { deviceGroup: undefined });
    const gone = await test.request({ url: answer.json().data.address });
    expect([gone.statusCode, gone.json().code]).toEqual([404, 'no-such-device']);
    expect(await auditOf()).toEqual([]);
    await test.stores.devices.update('BUS1', { deviceGroup: bus.deviceGroup });
    const again = await scene.export({ ...FILE, format: 'csv' });
    await test.db.deleteFrom('session').execute();
    expect((await test.request({ url: again.json().data.address })).statusCode).toBe(401);
  });
});

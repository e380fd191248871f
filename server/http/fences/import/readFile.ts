// A file of fences, whatever its format: what it is is found out by what is in it.
import { type FenceFileFormat, MAX_IMPORTED_FENCES } from '../../../../shared/protocol/api/fences/fences.ts';
import type { Limit } from '../../../limits/limit.ts';
import { decodeText } from '../../devices/import/decode.ts';
import { mapYielding, type YieldIfDue } from '../../devices/import/yielder.ts';
import { readFenceCsv } from './csv.ts';
import { readGeojson } from './geojson.ts';
import { readGpx } from './gpx.ts';
import { readKml } from './kml.ts';
import type { DefaultSizes, FeatureReader, ReadFence } from './readFence.ts';
import { readXml } from './xmlTree.ts';

export const IMPORTED_FENCES_LIMIT: Limit = { name: 'http.fence-import.rows', max: MAX_IMPORTED_FENCES };

export type FenceFileFault =
  | 'fence-file-empty'
  | 'file-encoding'
  | 'fence-file-format'
  | 'fence-file-json'
  | 'fence-file-xml'
  | 'file-quotes'
  | 'fence-file-column-missing'
  | 'fence-file-too-long';

export type FenceFile =
  | { readonly ok: true; readonly format: FenceFileFormat; readonly fences: readonly ReadFence[] }
  | { readonly ok: false; readonly code: FenceFileFault };

type FeatureFile =
  | { readonly ok: true; readonly format: FenceFileFormat; readonly features: readonly FeatureReader[] }
  | Extract<FenceFile, { ok: false }>;

export async function readFenceFile(
  bytes: Uint8Array,
  sizes: DefaultSizes,
  yieldIfDue: YieldIfDue,
): Promise<FenceFile> {
  const text = decodeText(bytes)?.text.trim();
  if (text === undefined) return { ok: false, code: 'file-encoding' };
  if (text === '') return { ok: false, code: 'fence-file-empty' };
  const file = await readText(text, sizes, yieldIfDue);
  if (!file.ok) return file;
  const { max } = IMPORTED_FENCES_LIMIT;
  if (file.features.length === 0) return { ok: false, code: 'fence-file-empty' };
  if (file.features.length > max) return { ok: false, code: 'fence-file-too-long' };
  const fences = (await mapYielding(file.features, yieldIfDue, (read) => read())).flat();
  return fences.length > max ? { ok: false, code: 'fence-file-too-long' } : { ok: true, format: file.format, fences };
}

async function readText(text: string, sizes: DefaultSizes, yieldIfDue: YieldIfDue): Promise<FeatureFile> {
  if (text.startsWith('{') || text.startsWith('[')) return readJsonText(text, sizes);
  if (text.startsWith('<')) return readXmlText(text, sizes, yieldIfDue);
  // Archives and pictures are no text, but for those that decode by chance.
  if (text.includes('\u0000')) return { ok: false, code: 'fence-file-format' };
  const read = readFenceCsv(text, sizes, IMPORTED_FENCES_LIMIT.max);
  return read.ok ? { ok: true, format: 'csv', features: read.features } : read;
}

function readJsonText(text: string, sizes: DefaultSizes): FeatureFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, code: 'fence-file-json' };
  }
  const features = readGeojson(value, sizes);
  return features === undefined ? { ok: false, code: 'fence-file-format' } : { ok: true, format: 'geojson', features };
}

async function readXmlText(text: string, sizes: DefaultSizes, yieldIfDue: YieldIfDue): Promise<FeatureFile> {
  const tree = await readXml(text, yieldIfDue);
  if (tree === undefined) return { ok: false, code: 'fence-file-xml' };
  const kml = readKml(tree, sizes);
  if (kml !== undefined) return { ok: true, format: 'kml', features: kml };
  const gpx = readGpx(tree, sizes);
  return gpx === undefined ? { ok: false, code: 'fence-file-format' } : { ok: true, format: 'gpx', features: gpx };
}

// A file of fences, whatever its format: what it is is found out by what is in it.
import { type FenceFileFormat, MAX_IMPORTED_FENCES } from '../../../../shared/protocol/api/fences/fences.ts';
import type { ImportEncoding } from '../../../../shared/protocol/api/imports/importEncodings.ts';
import type { Limit } from '../../../limits/limit.ts';
import type { YieldIfDue } from '../../devices/import/yielder.ts';
import { decodeText } from '../../imports/decodeText.ts';
import { isJsonWithin } from '../../imports/jsonDepth.ts';
import { readFenceCsv } from './csv.ts';
import { readGeojson } from './geojson.ts';
import { readGpx } from './gpx.ts';
import { readKml } from './kml.ts';
import type { FeatureReader, FenceDefaults, ReadFence } from './readFence.ts';
import { readXml } from './xmlTree.ts';

/** Geofences of a file. The answer is 422 `fence-file-too-long`. */
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
  | {
      readonly ok: true;
      readonly format: FenceFileFormat;
      readonly encoding: ImportEncoding;
      /** The file doesn't say its encoding, and others fit as well. */
      readonly isGuess: boolean;
      readonly fences: readonly ReadFence[];
    }
  | { readonly ok: false; readonly code: FenceFileFault };

type FeatureFile =
  | { readonly ok: true; readonly format: FenceFileFormat; readonly features: readonly FeatureReader[] }
  | Extract<FenceFile, { ok: false }>;

export interface FenceFileReading {
  readonly defaults: FenceDefaults;
  /** Left out: it is detected. */
  readonly encoding?: ImportEncoding | undefined;
}

export async function readFenceFile(
  bytes: Uint8Array,
  reading: FenceFileReading,
  yieldIfDue: YieldIfDue,
): Promise<FenceFile> {
  const decoded = decodeText(bytes, reading.encoding);
  if (decoded === undefined) return { ok: false, code: 'file-encoding' };
  const text = decoded.text.trim();
  if (text === '') return { ok: false, code: 'fence-file-empty' };
  const file = await readText(text, reading.defaults, yieldIfDue);
  if (!file.ok) return file;
  const { format, features } = file;
  const { max } = IMPORTED_FENCES_LIMIT;
  if (features.length === 0) return { ok: false, code: 'fence-file-empty' };
  if (features.length > max) return { ok: false, code: 'fence-file-too-long' };
  const fences: ReadFence[] = [];
  for (const read of features) {
    fences.push(...read());
    if (fences.length > max) return { ok: false, code: 'fence-file-too-long' };
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  return { ok: true, format, encoding: decoded.encoding, isGuess: decoded.isGuess, fences };
}

async function readText(text: string, defaults: FenceDefaults, yieldIfDue: YieldIfDue): Promise<FeatureFile> {
  if (text.startsWith('{') || text.startsWith('[')) return readJsonText(text, defaults);
  if (text.startsWith('<')) return readXmlText(text, defaults, yieldIfDue);
  // Archives and pictures are no text, but for those that decode by chance.
  if (text.includes('\u0000')) return { ok: false, code: 'fence-file-format' };
  const read = readFenceCsv(text, defaults, IMPORTED_FENCES_LIMIT.max);
  return read.ok ? { ok: true, format: 'csv', features: read.features } : read;
}

/** GeoJSON has ten at most, and collections in collections a few more. */
const MAX_JSON_DEPTH = 32;

function readJsonText(text: string, defaults: FenceDefaults): FeatureFile {
  if (!isJsonWithin(text, MAX_JSON_DEPTH)) return { ok: false, code: 'fence-file-json' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, code: 'fence-file-json' };
  }
  const features = readGeojson(value, defaults);
  return features === undefined ? { ok: false, code: 'fence-file-format' } : { ok: true, format: 'geojson', features };
}

async function readXmlText(text: string, defaults: FenceDefaults, yieldIfDue: YieldIfDue): Promise<FeatureFile> {
  const tree = await readXml(text, yieldIfDue);
  if (tree === undefined) return { ok: false, code: 'fence-file-xml' };
  const kml = readKml(tree, defaults);
  if (kml !== undefined) return { ok: true, format: 'kml', features: kml };
  const gpx = readGpx(tree, defaults);
  return gpx === undefined ? { ok: false, code: 'fence-file-format' } : { ok: true, format: 'gpx', features: gpx };
}

// A file of fences, whatever its format: what it is is found out by what is in it.
import { type FenceFileFormat, MAX_IMPORTED_FENCES } from '../../../../shared/protocol/api/fences/fences.ts';
import type { Limit } from '../../../limits/limit.ts';
import { decodeText } from '../../devices/import/decode.ts';
import { readFenceCsv } from './csv.ts';
import { readGeojson } from './geojson.ts';
import { readGpx } from './gpx.ts';
import { readKml } from './kml.ts';
import type { DefaultSizes, ReadFence } from './readFence.ts';
import { readXml } from './xmlTree.ts';

export const IMPORTED_FENCES_LIMIT: Limit = { name: 'http.fence-import.rows', max: MAX_IMPORTED_FENCES };

export type FenceFileFault =
  | 'file-empty'
  | 'file-encoding'
  | 'file-format'
  | 'file-json'
  | 'file-xml'
  | 'file-quotes'
  | 'file-column-missing'
  | 'file-too-long';

export type FenceFile =
  | { readonly ok: true; readonly format: FenceFileFormat; readonly fences: readonly ReadFence[] }
  | { readonly ok: false; readonly code: FenceFileFault };

export function readFenceFile(bytes: Uint8Array, sizes: DefaultSizes): FenceFile {
  const text = decodeText(bytes)?.text.trim();
  if (text === undefined) return { ok: false, code: 'file-encoding' };
  if (text === '') return { ok: false, code: 'file-empty' };
  const file = readText(text, sizes);
  if (!file.ok) return file;
  if (file.fences.length === 0) return { ok: false, code: 'file-empty' };
  return file.fences.length > IMPORTED_FENCES_LIMIT.max ? { ok: false, code: 'file-too-long' } : file;
}

function readText(text: string, sizes: DefaultSizes): FenceFile {
  if (text.startsWith('{') || text.startsWith('[')) return readJsonText(text, sizes);
  if (text.startsWith('<')) return readXmlText(text, sizes);
  // Archives and pictures are no text, but for those that decode by chance.
  if (text.includes('\u0000')) return { ok: false, code: 'file-format' };
  const read = readFenceCsv(text, sizes, IMPORTED_FENCES_LIMIT.max);
  return read.ok ? { ok: true, format: 'csv', fences: read.fences } : read;
}

function readJsonText(text: string, sizes: DefaultSizes): FenceFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, code: 'file-json' };
  }
  const fences = readGeojson(value, sizes);
  return fences === undefined ? { ok: false, code: 'file-format' } : { ok: true, format: 'geojson', fences };
}

function readXmlText(text: string, sizes: DefaultSizes): FenceFile {
  const tree = readXml(text);
  if (tree === undefined) return { ok: false, code: 'file-xml' };
  const kml = readKml(tree, sizes);
  if (kml !== undefined) return { ok: true, format: 'kml', fences: kml };
  const gpx = readGpx(tree, sizes);
  return gpx === undefined ? { ok: false, code: 'file-format' } : { ok: true, format: 'gpx', fences: gpx };
}

// The support bundle: files of facts about the installation, without what names or locates anybody.
import * as Type from 'typebox/type';
import { Count, Nullable, type RecordOf, Text } from '../records.ts';

/** GET: a BundleContents; POST: a DownloadAddress. Both take `system` and `gmsversion`. */
export const BUNDLE_PATH = '/api/version/bundle';

export const BUNDLE_FILES = [
  'contents.json',
  'about.json',
  'configuration.json',
  'settings.json',
  'health.json',
  'tables.json',
  'terminals.json',
  'metrics.txt',
  'log.jsonl',
] as const;
export type BundleFile = (typeof BUNDLE_FILES)[number];

const FileOfBundle = Type.Object({
  /** One of BUNDLE_FILES, or one that a newer gateway has. */
  name: Text,
  /** Number of entries at the moment, such as lines or tables. Null: the file could not be read, and the bundle goes without it. */
  entries: Nullable(Count),
});

export const BundleContents = Type.Object({
  /** In the order of the bundle. */
  files: Type.Array(FileOfBundle),
});
export type BundleContents = RecordOf<typeof BundleContents>;

import type { FileHeader, Manifest, TableHeader } from './manifest.ts';

/** The items of an archive, one after another. */
export type ArchiveItem =
  | { readonly type: 'table'; readonly table: TableHeader }
  /** Whole lines of the last table so far. */
  | { readonly type: 'rows'; readonly lines: Buffer; readonly rows: number }
  | { readonly type: 'table-end' }
  | { readonly type: 'file'; readonly file: FileHeader }
  | { readonly type: 'file-bytes'; readonly bytes: Buffer }
  | { readonly type: 'file-end' }
  /** The last item; the items before agree with it. */
  | { readonly type: 'manifest'; readonly manifest: Manifest };

import type { FileHeader, Manifest, TableHeader } from './manifest.ts';

/** What comes out of an archive, one after another. */
export type ArchiveItem =
  | { readonly type: 'table'; readonly table: TableHeader }
  /** Whole lines of the table that came last. */
  | { readonly type: 'rows'; readonly lines: Buffer; readonly rows: number }
  | { readonly type: 'table-end' }
  | { readonly type: 'file'; readonly file: FileHeader }
  | { readonly type: 'file-bytes'; readonly bytes: Buffer }
  | { readonly type: 'file-end' }
  /** The last one; what came before agrees with it. */
  | { readonly type: 'manifest'; readonly manifest: Manifest };

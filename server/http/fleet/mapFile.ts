// The street map of the dashboard: a PMTiles file that the configuration names. It is opened again for each part that is read, so that
// a file that is replaced while the gateway runs is seen at once, and an answer never mixes two.
import { type FileHandle, open } from 'node:fs/promises';
import type { Log } from '../../process/log.ts';
import { PMTILES_HEADER_BYTES, pmtilesFault } from './pmtilesHeader.ts';

/** Who gets it closes `handle`. */
export interface OpenMapFile {
  readonly handle: FileHandle;
  readonly size: number;
  /** Strong: another one for every file that has been put in the place of a former one. */
  readonly etag: string;
}

export interface MapFileOptions {
  readonly path: string;
  readonly log: Pick<Log, 'info' | 'error'>;
}

export class MapFile {
  readonly #options: MapFileOptions;
  /** The header is looked at once for each file. */
  #looked: { readonly etag: string; readonly fault: string | undefined } | undefined;
  /** Said in the log, and said again only when it changes. */
  #fault: string | undefined;

  constructor(options: MapFileOptions) {
    this.#options = options;
  }

  /** Runs at the start: the log shows a problem before anybody opens the map. */
  async check(): Promise<void> {
    const opened = await this.open();
    await opened?.handle.close();
  }

  /** Undefined where it can't be read or drawn; the log says why. */
  async open(): Promise<OpenMapFile | undefined> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(this.#options.path, 'r');
      const opened = await describe(handle);
      const fault = await this.#faultOf(opened);
      this.#tell(fault);
      if (fault === undefined) return opened;
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error));
    }
    await handle?.close();
    return undefined;
  }

  async #faultOf({ handle, size, etag }: OpenMapFile): Promise<string | undefined> {
    if (this.#looked?.etag === etag) return this.#looked.fault;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PMTILES_HEADER_BYTES), 0, PMTILES_HEADER_BYTES, 0);
    const fault = pmtilesFault(buffer.subarray(0, bytesRead), size);
    this.#looked = { etag, fault };
    return fault;
  }

  #tell(fault: string | undefined): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    const { path, log } = this.#options;
    if (fault === undefined) log.info({ path }, 'the street map (MAP_PMTILES) can be read again');
    else log.error({ path, fault }, `the street map (MAP_PMTILES) can't be used: ${fault}`);
  }
}

async function describe(handle: FileHandle): Promise<OpenMapFile> {
  const facts = await handle.stat({ bigint: true });
  if (!facts.isFile()) throw new Error('it is no file');
  const parts = [facts.ino, facts.size, facts.mtimeNs].map((part) => part.toString(36));
  return { handle, size: Number(facts.size), etag: `"${parts.join('-')}"` };
}

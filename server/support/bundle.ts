// The support bundle: what those who help need to know of an installation, without what names or locates anybody.
import type { Readable } from 'node:stream';
import type { BundleContents } from '../../shared/protocol/api/system/bundle.ts';
import type { WallMs } from '../../shared/protocol/time.ts';
import { KeyedCount } from '../limits/keyedCount.ts';
import type { Limit } from '../limits/limit.ts';
import { bundleArchive } from './bundleArchive.ts';
import { type BundlePart, type BundleSources, bundleParts, jsonOf, type PartContent } from './bundleParts.ts';
import { Pseudonyms } from './pseudonyms.ts';

/**
 * Support bundles that are downloaded at a time: each reads the sizes of all tables. A further download is refused with `too-many-bundles`.
 */
export const BUNDLES_LIMIT: Limit = { name: 'support.bundles', max: 1 };

export interface SupportBundle {
  /** What a bundle would have in it now. */
  contents(): Promise<BundleContents>;
  /** A zip archive with a salt of its own, written while it is read. Undefined: another one is. The place is given back as it closes. */
  open(): Promise<Readable | undefined>;
}

export interface SupportBundleDeps extends BundleSources {
  readonly now: () => WallMs;
  /** A part could not be read: the bundle goes without it, since it is for installations that are not well. */
  readonly onFault: (error: Error) => void;
}

/** What the reader of a bundle can count on. */
const LEFT_OUT = [
  'Secrets: passwords, keys, tokens, credentials and links.',
  'People: users, drivers, mail addresses and phone numbers.',
  'Vehicles: plates, ids, terminal numbers, ICCIDs and SIM numbers.',
  'Places: positions, fences and addresses.',
  'Everything that people of the installation have typed: titles, names, notes and rules.',
];
const PSEUDONYMS =
  'A word with ten hex digits, such as host-0123456789, stands for a text: the same for the same text within this bundle, and another in the next. The salt they are made with is kept nowhere.';

type ReadPart = Omit<BundlePart, 'read'> & {
  /** Undefined: could not be read. */
  readonly content: PartContent | undefined;
};

export function createSupportBundle(deps: SupportBundleDeps): SupportBundle {
  const parts = bundleParts(deps);
  const places = new KeyedCount(BUNDLES_LIMIT, deps.onLimit);
  const readAll = (pseudonyms: Pseudonyms): Promise<readonly ReadPart[]> =>
    Promise.all(parts.map((part) => readPart(part, pseudonyms, deps.onFault)));
  return {
    contents: async () => {
      const files = entriesOf(await readAll(new Pseudonyms()));
      return { files: [{ name: 'contents.json', entries: files.length }, ...files] };
    },
    open: async () => {
      const leave = places.enter('');
      if (leave === undefined) return undefined;
      try {
        const body = archiveOf(await readAll(new Pseudonyms()), deps.now());
        body.once('close', leave);
        return body;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

async function readPart(
  { read, ...part }: BundlePart,
  pseudonyms: Pseudonyms,
  onFault: SupportBundleDeps['onFault'],
): Promise<ReadPart> {
  try {
    return { ...part, content: await read(pseudonyms) };
  } catch (error) {
    onFault(new Error(`${part.name} could not be read`, { cause: error }));
    return { ...part, content: undefined };
  }
}

function entriesOf(parts: readonly ReadPart[]): BundleContents['files'] {
  return parts.map(({ name, content }) => ({ name, entries: content?.entries ?? null }));
}

function archiveOf(parts: readonly ReadPart[], madeAtMs: WallMs): Readable {
  const files = parts.map(({ name, about, content }) => ({ name, about, entries: content?.entries ?? null }));
  const contents = jsonOf({ madeAtMs, files, leftOut: LEFT_OUT, pseudonyms: PSEUDONYMS });
  const texts = parts.flatMap(({ name, content }) => (content === undefined ? [] : [{ name, pieces: content.pieces }]));
  return bundleArchive([{ name: 'contents.json', pieces: contents.pieces }, ...texts], new Date(madeAtMs));
}

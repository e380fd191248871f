interface EngineTables {
  /** Tests outside the stores' that run on both engines, with the reason. */
  readonly outsideStores: Readonly<Record<string, string>>;
  /** Stores whose test has another name, below server/store and test/server. */
  readonly testedBy: Readonly<Record<string, string>>;
}

/** Texts by the paths of their files. */
export type Files = ReadonlyMap<string, string>;

const STORES = 'server/store/';
const TESTS_OF_STORES = 'test/server/store/';
const HAND_WRITTEN = /import \{[^}]*\bsql\b[^}]*\} from 'kysely'/;

/** Where tests run twice without a reason, and where hand-written SQL runs on one engine alone. */
export function findGaps(files: Files, { outsideStores, testedBy }: EngineTables): string[] {
  const pathsOf = (isMeant: (path: string, text: string) => boolean): string[] =>
    [...files].filter(([path, text]) => isMeant(path, text)).map(([path]) => path);
  const onBoth = new Set(pathsOf((path, text) => path.endsWith('.test.ts') && text.includes('describeOnBothEngines(')));
  const handWritten = new Set(pathsOf(isHandWritten).map((path) => path.slice(STORES.length)));
  const testOf = (store: string): string =>
    `test/server/${testedBy[store] ?? `store/${store.replace(/\.ts$/, '.test.ts')}`}`;
  const unreasoned = [...onBoth].filter((path) => !path.startsWith(TESTS_OF_STORES) && !(path in outsideStores));
  const untested = [...handWritten].filter((store) => !onBoth.has(testOf(store)));
  return [
    ...unreasoned.map((path) => `${path}: on both engines without a reason`),
    ...untested.map((store) => `${STORES}${store}: SQL without a test on both engines`),
    ...Object.keys(outsideStores)
      .filter((path) => !onBoth.has(path))
      .map((path) => `${path}: named, and not on both engines`),
    ...Object.keys(testedBy)
      .filter((store) => !handWritten.has(store))
      .map((store) => `${STORES}${store}: named, and without SQL`),
  ];
}

/** Migrations run wherever a database is opened, on each engine. */
function isHandWritten(path: string, text: string): boolean {
  return path.startsWith(STORES) && !path.startsWith(`${STORES}migrations/`) && HAND_WRITTEN.test(text);
}

// The files of a support bundle and the content of each.
import type { About } from '../../shared/protocol/api/system/about.ts';
import type { BundleFile } from '../../shared/protocol/api/system/bundle.ts';
import type { Health } from '../../shared/protocol/api/system/health.ts';
import type { ServerSettings } from '../../shared/protocol/api/system/settings.ts';
import { openValues } from '../config/openValues.ts';
import type { Config } from '../config/variables.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { TerminalKindStore } from '../store/devices/terminalKinds.ts';
import type { DatabaseFactsStore } from '../store/system/databaseFacts.ts';
import type { TableSizeStore } from '../store/system/tableSizes.ts';
import { type IsOwnTable, scrubbedAbout, scrubbedHealth, scrubbedSettings, tableName } from './bundleFacts.ts';
import { scrubbedLine } from './logLines.ts';
import { metricLines, type ReadMetric } from './metricLines.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { scrubbedKind } from './terminalFacts.ts';

/**
 * Kinds of terminals in a support bundle, those with most devices first. The others are left out, and the file says so. Terminals report
 * their kind themselves, so the text is from outside.
 */
export const TERMINAL_KINDS_LIMIT: Limit = { name: 'support.terminal-kinds', max: 500 };

export interface BundleSources {
  readonly config: Config;
  readonly about: { read(): Promise<About> };
  readonly settings: () => Promise<ServerSettings>;
  readonly health: { read(): Promise<Health> };
  readonly stores: {
    readonly databaseFacts: Pick<DatabaseFactsStore, 'schemaSteps'>;
    readonly tableSizes: TableSizeStore;
    readonly terminalKinds: TerminalKindStore;
  };
  readonly isOwnTable: IsOwnTable;
  readonly metrics: { getMetricsAsJSON(): Promise<readonly ReadMetric[]> };
  /** The newest lines of the log. */
  readonly recentLog: { read(): readonly string[] };
  readonly onLimit: OnLimit;
}

export interface PartContent {
  /** Number of entries that the file lists. */
  readonly entries: number;
  /** The text, made piece by piece as it is written. */
  readonly pieces: Iterable<string>;
}

export interface BundlePart {
  readonly name: BundleFile;
  /** A description for the readers of the bundle. */
  readonly about: string;
  read(pseudonyms: Pseudonyms): Promise<PartContent>;
}

/** Lines that are scrubbed at once, within a millisecond or two: streams and sign-ins have their turn in between. */
const LINES_PER_PIECE = 25;

export function bundleParts(sources: BundleSources): readonly BundlePart[] {
  const { config, about, settings, health, metrics, recentLog, isOwnTable } = sources;
  return [
    {
      name: 'about.json',
      about: 'Product, build, system, database and gateways. Names of hosts are pseudonyms.',
      read: async (pseudonyms) => jsonOf(scrubbedAbout(await about.read(), pseudonyms)),
    },
    {
      name: 'configuration.json',
      about: 'Variables of the environment: numbers and choices. Of any other text, whether it is set.',
      read: async () => jsonOf(openValues(config)),
    },
    {
      name: 'settings.json',
      about: 'Settings of the page Version with their presets. Titles are pseudonyms.',
      read: async (pseudonyms) => jsonOf(scrubbedSettings(await settings(), pseudonyms)),
    },
    {
      name: 'health.json',
      about: 'Every check with its numbers and limits.',
      read: async (pseudonyms) => {
        const found = await health.read();
        return jsonOf(scrubbedHealth(found, isOwnTable, pseudonyms), found.checks.length);
      },
    },
    {
      name: 'tables.json',
      about: 'Steps of the database schema; rows and bytes of each table. Names of tables of others are pseudonyms.',
      read: (pseudonyms) => readTables(sources, pseudonyms),
    },
    {
      name: 'terminals.json',
      about: `Devices by what their terminals say of make, version and channels, the ${TERMINAL_KINDS_LIMIT.max} most frequent kinds.`,
      read: (pseudonyms) => readTerminals(sources, pseudonyms),
    },
    {
      name: 'metrics.txt',
      about: 'Metrics of the gateway as Prometheus reads them.',
      read: async (pseudonyms) => linesOf(metricLines(await metrics.getMetricsAsJSON(), pseudonyms)),
    },
    {
      name: 'log.jsonl',
      about: 'The newest lines of the log. Texts that the product has not written itself are pseudonyms.',
      read: async (pseudonyms) => logOf(recentLog.read(), pseudonyms),
    },
  ];
}

async function readTables({ stores, isOwnTable }: BundleSources, pseudonyms: Pseudonyms): Promise<PartContent> {
  const [steps, sizes] = await Promise.all([stores.databaseFacts.schemaSteps(), stores.tableSizes.read()]);
  const tables = sizes.map(({ table, rows, bytes }) => ({
    table: tableName(table, isOwnTable, pseudonyms),
    rows,
    bytes,
  }));
  return jsonOf({ steps, tables }, tables.length);
}

async function readTerminals({ stores, onLimit }: BundleSources, pseudonyms: Pseudonyms): Promise<PartContent> {
  const found = await stores.terminalKinds.count(TERMINAL_KINDS_LIMIT.max + 1);
  const hasMore = found.length > TERMINAL_KINDS_LIMIT.max;
  if (hasMore) onLimit(TERMINAL_KINDS_LIMIT);
  const kinds = found.slice(0, TERMINAL_KINDS_LIMIT.max).map((kind) => scrubbedKind(kind, pseudonyms));
  return jsonOf({ kinds, hasMore }, kinds.length);
}

/** `entries` missing: each of the object's values is one. */
export function jsonOf(facts: object, entries = Object.keys(facts).length): PartContent {
  return { entries, pieces: [`${JSON.stringify(facts, undefined, 2)}\n`] };
}

function linesOf(lines: readonly string[]): PartContent {
  return { entries: lines.length, pieces: lines.map((line) => `${line}\n`) };
}

/** Text that is not a log line, such as a truncated one, is left out while writing. */
function logOf(lines: readonly string[], pseudonyms: Pseudonyms): PartContent {
  return { entries: lines.length, pieces: logPieces(lines, pseudonyms) };
}

function* logPieces(lines: readonly string[], pseudonyms: Pseudonyms): Generator<string> {
  for (let begin = 0; begin < lines.length; begin += LINES_PER_PIECE) {
    yield lines
      .slice(begin, begin + LINES_PER_PIECE)
      .flatMap((line) => scrubbedLine(line, pseudonyms) ?? [])
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  }
}

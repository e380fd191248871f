// The plan of an import: what it would do to each geofence, or why not. The same file on the same geofences gives the same plan; other
// work gets its turn meanwhile.
import { createHash } from 'node:crypto';
import type { FenceContent, FenceImportPlan, FenceImportRow } from '../../../../shared/protocol/api/fences/fences.ts';
import { vertexCount } from '../../../../shared/protocol/fences/vertexCount.ts';
import { haveSameShape } from '../../../fences/acts/fenceChecks.ts';
import type { FenceImport, StoredFence } from '../../../store/fences/fences.ts';
import { mapYielding, type YieldIfDue } from '../../devices/import/yielder.ts';
import type { ReadFence } from './readFence.ts';

export interface PlannedFences extends Omit<FenceImportPlan, 'format' | 'encoding' | 'isGuess'> {
  readonly work: FenceImport;
}

export interface FencePlanContext {
  /** Geofences of the caller's member group. */
  readonly fences: readonly StoredFence[];
  /** How many more the member group may have, and how many more vertices. */
  readonly room: { readonly fences: number; readonly vertices: number };
}

interface Fate {
  readonly row: FenceImportRow;
  readonly shape: FenceImportPlan['shapes'][number] | undefined;
  readonly added?: FenceContent;
  readonly changed?: FenceImport['changed'][number];
}

/** Content of a new geofence that the file says nothing about. */
const NEW_FENCE: Omit<FenceContent, 'name' | 'kind' | 'geometry' | 'radiusMeters' | 'widthMeters'> = {
  enabled: true,
  color: '#1976d2',
  validFromMs: 0 as FenceContent['validFromMs'],
  validToMs: 0 as FenceContent['validToMs'],
  schedule: [],
  timeZone: '',
  deviceGroups: [],
  devices: [],
  rules: {
    enter: false,
    leave: false,
    insideMinutes: 0,
    outsideMinutes: 0,
    speedKmh: 0,
    parkedMinutes: 0,
    wrongDirection: false,
  },
};

export async function planFences(
  read: readonly ReadFence[],
  context: FencePlanContext,
  yieldIfDue: YieldIfDue,
): Promise<PlannedFences> {
  const known = byName(context.fences);
  let { fences, vertices } = context.room;
  const fates = await mapYielding(read, yieldIfDue, (fence) => {
    const fate = fateOf(fence, known);
    const before = fate.changed === undefined ? 0 : vertexCount(known.before(fate.changed.id));
    const after = fate.added ?? fate.changed?.content;
    if (after === undefined) return fate;
    const more = vertexCount(after) - before;
    const isNew = fate.added !== undefined;
    if ((isNew && fences < 1) || (more > 0 && more > vertices)) return refused(fence, ['too-many']);
    if (isNew) fences--;
    vertices -= Math.max(0, more);
    return fate;
  });
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { row } of fates) counts[row.outcome]++;
  return {
    rows: fates.map(({ row }) => row),
    counts,
    shapes: fates.flatMap(({ shape }) => shape ?? []),
    token: await tokenOf(fates, yieldIfDue),
    work: { added: fates.flatMap(({ added }) => added ?? []), changed: fates.flatMap(({ changed }) => changed ?? []) },
  };
}

interface KnownFences {
  /** Takes the next geofence of that name: a file that has a name twice means two geofences. */
  take(name: string): StoredFence | undefined;
  before(id: number): Pick<FenceContent, 'geometry'>;
}

function byName(fences: readonly StoredFence[]): KnownFences {
  const waiting = new Map<string, StoredFence[]>();
  const byId = new Map(fences.map((fence) => [fence.id, fence.content]));
  for (const fence of fences) {
    const others = waiting.get(fence.content.name);
    if (others === undefined) waiting.set(fence.content.name, [fence]);
    else others.push(fence);
  }
  return {
    take: (name) => waiting.get(name)?.shift(),
    before: (id) => byId.get(id) ?? { geometry: { type: 'Polygon', coordinates: [] } },
  };
}

function fateOf(fence: ReadFence, known: KnownFences): Fate {
  if (fence.faults.length > 0) return refused(fence, fence.faults);
  const { line, name, shape, color } = fence;
  const current = known.take(name);
  const head = { line, name, kind: shape.kind, faults: [], at: '' };
  const drawn = { line, ...shape };
  if (current === undefined) {
    const added = { ...NEW_FENCE, name, ...shape, color: color ?? NEW_FENCE.color };
    return { row: { ...head, outcome: 'added' }, shape: drawn, added };
  }
  const { id, version, content } = current;
  if (haveSameShape(content, shape) && (color ?? content.color) === content.color) {
    return { row: { ...head, outcome: 'unchanged' }, shape: drawn };
  }
  const rules = { ...content.rules, wrongDirection: shape.kind === 'corridor' && content.rules.wrongDirection };
  const changed = { id, version, content: { ...content, ...shape, rules, color: color ?? content.color } };
  return { row: { ...head, outcome: 'changed' }, shape: drawn, changed };
}

function refused({ line, name, shape, at }: ReadFence, faults: FenceImportRow['faults']): Fate {
  return { row: { line, name, kind: shape.kind, outcome: 'refused', faults, at }, shape: undefined };
}

/** The token stands for everything that was shown, and for the versions of the records shown. */
async function tokenOf(fates: readonly Fate[], yieldIfDue: YieldIfDue): Promise<string> {
  const hash = createHash('sha256');
  await mapYielding(fates, yieldIfDue, ({ row, added, changed }) => {
    hash.update(`${JSON.stringify([row, added, changed])}\n`);
  });
  return hash.digest('hex');
}

// Whether the time that a regular expression takes grows faster than the text that it looks at.
import { type CharSet, type PatternNode, parsePattern } from './parsePattern.ts';

/** A way through the pattern is a row of these. */
type Step =
  | { readonly kind: 'one'; readonly set: CharSet }
  | { readonly kind: 'optional'; readonly set: CharSet }
  /** Without a bound. */
  | { readonly kind: 'many'; readonly set: CharSet; readonly first: CharSet }
  | { readonly kind: 'start' | 'assertion' };

type Path = readonly Step[];

/** Beyond it, a pattern is too involved to be looked at, and counts as slow. */
const MAX_PATHS = 2_000;

/**
 * Why a pattern may be slow; undefined for one that is not.
 *
 * A repetition without a bound is tried again with fewer characters when what follows it fails. That costs the square of the text's length
 * in two cases: another repetition takes the characters that this one gives back, or the search begins again within what it has taken.
 * A character that has to come in between, and that the repetition does not take, prevents both.
 */
export function slownessOf(source: string, flags: string): string | undefined {
  const alternatives = parsePattern(source, flags);
  const isSticky = flags.includes('y');
  const paths = alternatives.flatMap(pathsOf);
  if (paths.length > MAX_PATHS) return 'it has too many ways through it';
  for (const path of paths) {
    const reason = slownessOfPath(path, isSticky);
    if (reason !== undefined) return reason;
  }
  return alternatives.some((nodes) => nodes.some(hasAmbiguousLoop)) ? 'a repetition can begin in two ways' : undefined;
}

function slownessOfPath(path: Path, isSticky: boolean): string | undefined {
  const isAnchored = isSticky || path[0]?.kind === 'start';
  for (const [at, step] of path.entries()) {
    if (step.kind !== 'many' || !canFail(path.slice(at + 1))) continue;
    if (!isAnchored && !hasSeparator(path.slice(0, at), step.set)) return 'a search begins again within a repetition';
    for (const [further, next] of path.slice(at + 1).entries()) {
      if (next.kind !== 'many' || !overlap(step.set, next.first)) continue;
      const isParted = hasSeparator(path.slice(at + 1, at + 1 + further), step.set);
      if (!isParted && canFail(path.slice(at + further + 2))) return 'two repetitions share characters';
    }
  }
  return undefined;
}

function canFail(path: Path): boolean {
  return path.some(({ kind }) => kind === 'one' || kind === 'assertion');
}

function hasSeparator(path: Path, set: CharSet): boolean {
  return path.some((step) => step.kind === 'one' && !overlap(step.set, set));
}

function overlap(one: CharSet, other: CharSet): boolean {
  for (const each of one) if (other.has(each)) return true;
  return false;
}

function pathsOf(nodes: readonly PatternNode[]): Path[] {
  let paths: Path[] = [[]];
  for (const node of nodes) {
    const further = pathsThrough(node);
    if (paths.length * further.length > MAX_PATHS) return Array.from({ length: MAX_PATHS + 1 }, () => []);
    paths = paths.flatMap((path) => further.map((more) => [...path, ...more]));
  }
  return paths;
}

function pathsThrough(node: PatternNode): Path[] {
  switch (node.kind) {
    case 'characters':
      return [[{ kind: 'one', set: node.set }]];
    case 'group':
      return node.alternatives.flatMap(pathsOf);
    case 'start':
    case 'assertion':
      return [[{ kind: node.kind }]];
    case 'repeat':
      return node.max === Number.POSITIVE_INFINITY ? pathsOfLoop(node) : pathsOfFew(node);
  }
}

type Repeat = Extract<PatternNode, { kind: 'repeat' }>;

function pathsOfFew({ node, min, max }: Repeat): Path[] {
  const once = pathsThrough(node);
  if (node.kind === 'characters') {
    const required: Path = min > 0 ? [{ kind: 'one', set: node.set }] : [];
    return [max > min ? [...required, { kind: 'optional', set: node.set }] : required];
  }
  return min === 0 ? [[], ...once] : once;
}

function pathsOfLoop({ node, min }: Repeat): Path[] {
  const bodies = pathsThrough(node);
  const set = union(bodies.map((body) => union(body.flatMap((step) => ('set' in step ? [step.set] : [])))));
  const many: Step = { kind: 'many', set, first: union(bodies.map(firstOf)) };
  const loop: Path[] = min > 0 ? bodies.map((body) => [...body.filter(({ kind }) => kind !== 'many'), many]) : [[many]];
  if (!bodies.some((body) => body.some(({ kind }) => kind === 'many'))) return loop;
  const twice = bodies.flatMap((body) => bodies.map((next) => [...body, ...next]));
  return [...loop, ...twice];
}

/** What a way can begin with. */
function firstOf(path: Path): CharSet {
  const sets: CharSet[] = [];
  for (const step of path) {
    if (step.kind === 'one') return union([...sets, step.set]);
    if (step.kind === 'optional') sets.push(step.set);
    if (step.kind === 'many') sets.push(step.first);
  }
  return union(sets);
}

function union(sets: readonly CharSet[]): CharSet {
  return new Set(sets.flatMap((set) => [...set]));
}

/** Two ways to take the same text in each round make as many ways as there are rounds, to the power of two. */
function hasAmbiguousLoop(node: PatternNode): boolean {
  if (node.kind === 'group') return node.alternatives.some((nodes) => nodes.some(hasAmbiguousLoop));
  if (node.kind !== 'repeat') return false;
  if (hasAmbiguousLoop(node.node)) return true;
  if (node.max !== Number.POSITIVE_INFINITY || node.node.kind !== 'group') return false;
  const firsts = node.node.alternatives.map((nodes) => union(pathsOf(nodes).map(firstOf)));
  return firsts.some((one, at) => firsts.slice(at + 1).some((other) => overlap(one, other)));
}

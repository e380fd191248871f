// The limits that the sources declare, each with the comment above it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Comment, parseSync } from 'oxc-parser';
import { filesIn } from '../sourceFiles.ts';
import { constantValue } from './constantValue.ts';

export interface DeclaredLimit {
  readonly name: string;
  /** Undefined where a setting alone decides. */
  readonly max: number | undefined;
  /** The comment in one line. Its first sentence says what is bounded, the others what happens there and why. */
  readonly text: string;
  readonly file: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
interface PropertyNode extends Node {
  readonly key?: { readonly name?: string };
  readonly value: Node & { readonly value?: unknown };
}
interface DeclarationNode extends Node {
  readonly declarations: readonly { readonly init: Node | null }[];
}

interface Source {
  readonly root: string;
  readonly file: string;
  readonly text: string;
  readonly comments: readonly Comment[];
}

const LIMIT_NAME = /^[a-z-]+(?:\.[a-z-]+)+$/;
/** What looks like a limit in the text of a source, to notice one that is declared in a way that is not read. */
const LOOKS_LIKE_ONE = /\bname: '[a-z-]+(?:\.[a-z-]+)+'(?:,\s*max: |,?\s*\})/g;

/** Sorted by name. Throws for a limit that is declared elsewhere than in a constant of its file, since none may be left out. */
export function findLimits(root: string): readonly DeclaredLimit[] {
  const files = filesIn(root, ['server', 'shared'], /\.ts$/);
  return files.flatMap((file) => limitsIn(root, file)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function limitsIn(root: string, file: string): DeclaredLimit[] {
  const text = readFileSync(join(root, file), 'utf8');
  const expected = text.match(LOOKS_LIKE_ONE)?.length ?? 0;
  if (expected === 0) return [];
  const { program, comments, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const source: Source = { root, file, text, comments };
  const found = (program.body as readonly Node[]).flatMap((statement) => limitsOf(source, statement));
  if (found.length !== expected) throw new Error(`${file}: ${expected} limits, of which ${found.length} could be read`);
  return found;
}

/** The limit or the group of limits that a constant is. */
function limitsOf(source: Source, statement: Node): DeclaredLimit[] {
  const exported = (statement as { declaration?: Node | null }).declaration;
  const declaration = exported ?? statement;
  if (declaration.type !== 'VariableDeclaration') return [];
  return (declaration as DeclarationNode).declarations.flatMap(({ init }) => {
    const own = limitAt(source, init, statement);
    return own === undefined ? propertiesOf(init).flatMap((each) => limitAt(source, each.value, each) ?? []) : [own];
  });
}

function limitAt(source: Source, node: Node | null, commented: Node): DeclaredLimit | undefined {
  const properties = propertiesOf(node);
  const valueAt = (key: string) => properties.find((property) => property.key?.name === key)?.value;
  const name = valueAt('name')?.value;
  if (typeof name !== 'string' || !LIMIT_NAME.test(name)) return undefined;
  const max = valueAt('max');
  return {
    name,
    max: max === undefined ? undefined : constantValue(source.root, source.file, max),
    text: commentAbove(source, commented),
    file: source.file,
  };
}

function propertiesOf(node: Node | null): readonly PropertyNode[] {
  return node?.type === 'ObjectExpression' ? (node as Node & { properties: readonly PropertyNode[] }).properties : [];
}

function commentAbove({ text, comments }: Source, node: Node): string {
  const above = comments.findLast((comment) => comment.end <= node.start);
  if (above === undefined || !above.value.startsWith('*') || text.slice(above.end, node.start).trim() !== '') return '';
  return above.value
    .slice(1)
    .replaceAll(/\n\s*\*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

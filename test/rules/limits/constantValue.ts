// Numbers as the sources write them: products, and constants of the same or of another file.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';

interface Node {
  readonly type: string;
}
interface Binary extends Node {
  readonly operator: string;
  readonly left: Node;
  readonly right: Node;
}
interface Declarator {
  readonly id: { readonly name?: string };
  readonly init: Node | null;
}
interface Import extends Node {
  readonly source: { readonly value: string };
  readonly specifiers: readonly { readonly local: { name: string }; readonly imported?: { name?: string } }[];
}

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '**': (left, right) => left ** right,
};

/** Throws for an expression that is none of these. */
export function constantValue(root: string, file: string, node: Node): number {
  if (node.type === 'Literal') return Number((node as Node & { value: unknown }).value);
  if (node.type === 'Identifier') return constantOf(root, file, (node as Node & { name: string }).name);
  const { operator, left, right } = node as Binary;
  const calculate = node.type === 'BinaryExpression' ? OPERATORS[operator] : undefined;
  if (calculate === undefined) throw new Error(`${file}: ${node.type} is no number that can be read`);
  return calculate(constantValue(root, file, left), constantValue(root, file, right));
}

function constantOf(root: string, file: string, name: string): number {
  const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  const statements = program.body as unknown as readonly (Node & { readonly declaration?: Node | null })[];
  const declared = statements
    .flatMap((statement) => (statement.declaration ?? statement) as Node & { declarations?: readonly Declarator[] })
    .flatMap(({ declarations }) => declarations ?? [])
    .find(({ id }) => id.name === name);
  if (declared?.init) return constantValue(root, file, declared.init);
  for (const statement of statements) {
    if (statement.type !== 'ImportDeclaration') continue;
    const { source, specifiers } = statement as unknown as Import;
    const imported = specifiers.find(({ local }) => local.name === name)?.imported?.name;
    if (imported !== undefined) return constantOf(root, posix.join(posix.dirname(file), source.value), imported);
  }
  throw new Error(`${file}: there is no constant ${name}`);
}

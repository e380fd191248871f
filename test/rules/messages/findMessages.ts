// The English messages that stand beside the codes of refusals, read from the syntax of a source file.
import { parseSync, Visitor } from 'oxc-parser';

export interface FoundMessage {
  readonly code: string;
  readonly message: string;
}

/** Codes by how a file names the refusals that it takes over: `Refused.badRequest` is `bad-request`. */
export type NamedCodes = ReadonlyMap<string, string>;

/** The small part of the syntax tree that matters here. */
interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly name?: string;
  readonly argument?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly properties?: readonly PropertyNode[];
}
interface PropertyNode extends Node {
  readonly key?: Node;
  readonly value?: Node;
}
interface Declarator {
  readonly id: Node;
  readonly init: Node | null;
}

/**
 * Each object with a code and a message that a machine can read: texts; for a message also a constant of the file; for a code
 * also an object that is spread into it, or the name of a refusal that is. And what each object says whose names are all codes.
 */
export function findMessages(
  path: string,
  source: string,
  known: ReadonlySet<string>,
  named: NamedCodes,
): FoundMessage[] {
  const { objects, constants } = readFile(path, source);
  return objects.flatMap((object) => {
    const code = codeOf(object, named);
    if (code === undefined) return messagesByCode(object, known);
    const node = propertyOf(object, 'message');
    const message = textOf(node) ?? constants.get(node?.name ?? '');
    return message === undefined ? [] : [{ code, message }];
  });
}

/** The codes of a file's objects of refusals, by the names that others call them: behind `owner.`. */
export function namedCodes(path: string, source: string, owner: string): NamedCodes {
  const refusals = readFile(path, source).objects.flatMap(({ properties = [] }) => properties);
  return new Map(
    refusals.flatMap(({ key, value }) => {
      const code = value?.type === 'ObjectExpression' ? codeOf(value, new Map()) : undefined;
      return code === undefined ? [] : [[`${owner}.${key?.name}`, code] as const];
    }),
  );
}

function readFile(path: string, source: string): { objects: readonly Node[]; constants: ReadonlyMap<string, string> } {
  const objects: Node[] = [];
  const constants = new Map<string, string>();
  new Visitor({
    ObjectExpression: (node) => void objects.push(node as unknown as Node),
    VariableDeclarator(node) {
      const { id, init } = node as unknown as Declarator;
      const text = textOf(init ?? undefined);
      if (id.name !== undefined && text !== undefined) constants.set(id.name, text);
    },
  }).visit(parseSync(path, source).program);
  return { objects, constants };
}

function codeOf(object: Node, named: NamedCodes): string | undefined {
  const own = textOf(propertyOf(object, 'code'));
  if (own !== undefined) return own;
  const spread = (object.properties ?? []).flatMap(({ argument }) => argument ?? []);
  return spread
    .map((node) => textOf(propertyOf(node, 'code')) ?? named.get(nameOf(node)))
    .find((code) => code !== undefined);
}

function messagesByCode({ properties = [] }: Node, known: ReadonlySet<string>): FoundMessage[] {
  const found = properties.flatMap(({ key, value }) => {
    const [code, message] = [textOf(key) ?? key?.name ?? '', textOf(value)];
    return message === undefined || !known.has(code) ? [] : [{ code, message }];
  });
  return found.length === properties.length ? found : [];
}

function propertyOf({ properties = [] }: Node, name: string): Node | undefined {
  return properties.find(({ key }) => key?.name === name)?.value;
}

function nameOf({ object, property }: Node): string {
  return `${object?.name}.${property?.name}`;
}

function textOf(node: Node | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

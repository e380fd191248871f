// Which translations a source file asks for, read from its syntax: calls of `t` and of `i18next.t`.
import { parseSync, Visitor } from 'oxc-parser';

export interface UsedKey {
  readonly namespace: string;
  readonly key: string;
}

export interface KeyUse {
  readonly keys: readonly UsedKey[];
  /** Calls whose key is a variable: computedKeys.ts has its values. */
  readonly dynamicCalls: number;
  /** Keys that no namespace could be found for: neither `{ ns }` in the call nor `useTranslation('…')` before it. */
  readonly homeless: readonly string[];
}

/** The small part of the syntax tree that matters here. */
interface Node {
  readonly type: string;
  readonly start: number;
}
interface CallNode extends Node {
  readonly callee: Node & {
    readonly name?: string;
    readonly object?: Node & { name?: string };
    readonly property?: { name?: string };
  };
  readonly arguments: readonly Node[];
}

/** Throws when the source has a syntax error, because the tree of what is left lacks some of its keys. */
export function findUsedKeys(path: string, source: string): KeyUse {
  const { program, errors } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const hooks: { readonly start: number; readonly namespace: string }[] = [];
  const calls: CallNode[] = [];
  new Visitor({
    CallExpression(node) {
      const call = node as unknown as CallNode;
      const name = call.callee.name;
      const [first] = call.arguments;
      if (name === 'useTranslation' && first !== undefined)
        hooks.push({ start: call.start, namespace: firstText(first) });
      if (name === 't' || isI18next(call)) calls.push(call);
    },
  }).visit(program);
  return collect(calls, (call) => hooks.findLast((hook) => hook.start < call.start)?.namespace);
}

function isI18next({ callee }: CallNode): boolean {
  return callee.object?.name === 'i18next' && callee.property?.name === 't';
}

function collect(calls: readonly CallNode[], hookBefore: (call: CallNode) => string | undefined): KeyUse {
  const keys: UsedKey[] = [];
  const homeless: string[] = [];
  let dynamicCalls = 0;
  for (const call of calls) {
    const texts = literalTexts(call.arguments[0]);
    if (texts === undefined) dynamicCalls++;
    const namespace = ownNamespace(call.arguments[1]) ?? (isI18next(call) ? undefined : hookBefore(call));
    for (const key of texts ?? []) {
      if (namespace === undefined) homeless.push(key);
      else keys.push({ namespace, key });
    }
  }
  return { keys, dynamicCalls, homeless };
}

/** The texts that an expression can be, when all of them stand there; undefined otherwise. */
function literalTexts(node: Node | undefined): readonly string[] | undefined {
  if (node?.type === 'Literal') return [String((node as Node & { value: unknown }).value)];
  if (node?.type !== 'ConditionalExpression') return undefined;
  const { consequent, alternate } = node as Node & { consequent: Node; alternate: Node };
  const [one, other] = [literalTexts(consequent), literalTexts(alternate)];
  return one === undefined || other === undefined ? undefined : [...one, ...other];
}

/** A text, or the first of a list of texts. */
function firstText(node: Node): string {
  const first = node.type === 'ArrayExpression' ? (node as Node & { elements: readonly Node[] }).elements[0] : node;
  return literalTexts(first)?.[0] ?? '';
}

/** `ns` of a call's options. */
function ownNamespace(node: Node | undefined): string | undefined {
  if (node?.type !== 'ObjectExpression') return undefined;
  const { properties } = node as Node & { properties: readonly { key?: { name?: string }; value?: Node }[] };
  const value = properties.find((property) => property.key?.name === 'ns')?.value;
  return value === undefined ? undefined : literalTexts(value)?.[0];
}

// Streams that are made without a helper on the same line. Their classes may be imported: the helpers take what is made.
import { STREAM_MAKERS } from './kinds.ts';

export interface AnImport {
  readonly source: { readonly value: string };
  readonly specifiers: readonly AnySpecifier[];
}

interface AnySpecifier {
  readonly type: string;
  readonly importKind?: string | null;
  readonly imported?: object;
  readonly local: { readonly name: string };
}

interface AnExpression {
  readonly type: string;
}

interface ACall extends AnExpression {
  readonly callee: AnExpression;
  readonly arguments: readonly unknown[];
}

/** What makes a stream of a file handle, and of anything that can be read, whoever it is called on. */
const FILE_METHODS: ReadonlySet<string> = new Set(['createReadStream', 'createWriteStream']);

export class StreamMakers {
  readonly #report: (what: string, how: string) => void;
  /** By the name that the file has for each. */
  readonly #makers = new Map<string, string>();
  readonly #guarded = new Set<unknown>();

  constructor(report: (what: string, how: string) => void) {
    this.#report = report;
  }

  imported({ source, specifiers }: AnImport): void {
    const module = source.value.replace(/^node:/, '');
    const makers = STREAM_MAKERS.get(module);
    if (makers === undefined) return;
    for (const { type, importKind, imported, local } of specifiers) {
      if (importKind === 'type') continue;
      if (type !== 'ImportSpecifier') this.#report('module', `all of ${module}`);
      const name = imported !== undefined && 'name' in imported ? String(imported.name) : '';
      if (makers.has(name)) this.#makers.set(local.name, name);
    }
  }

  /** Calls are visited from outside in: what a helper takes is known before it is seen itself. */
  called(call: ACall): void {
    const { callee } = call;
    const name = nameOf(callee);
    if (name !== undefined) {
      if (/^guard[A-Z]/.test(name)) this.#guarded.add(call.arguments[0]);
      else this.#made(call, this.#makers.get(name));
      return;
    }
    const { owner, method } = memberOf(callee);
    const maker = this.#makers.get(owner);
    if (maker !== undefined && (method === 'from' || method === 'fromWeb')) this.#made(call, `${maker}.${method}`);
    if (FILE_METHODS.has(method)) this.#made(call, `${method}()`);
  }

  constructed(made: ACall): void {
    const name = this.#makers.get(nameOf(made.callee) ?? '');
    if (name !== undefined) this.#made(made, `new ${name}`);
  }

  extended({ superClass }: { readonly superClass: AnExpression | null }): void {
    const name = superClass === null ? undefined : this.#makers.get(nameOf(superClass) ?? '');
    if (name !== undefined) this.#report('stream', `extends ${name}`);
  }

  #made(expression: ACall, how: string | undefined): void {
    if (how !== undefined && !this.#guarded.has(expression)) this.#report('stream', how);
  }
}

function nameOf(callee: AnExpression): string | undefined {
  return callee.type === 'Identifier' ? (callee as AnExpression & { readonly name: string }).name : undefined;
}

function memberOf(callee: AnExpression): { readonly owner: string; readonly method: string } {
  if (callee.type !== 'MemberExpression') return { owner: '', method: '' };
  const { object, property } = callee as AnExpression & {
    readonly object: AnExpression;
    readonly property: AnExpression;
  };
  return { owner: nameOf(object) ?? '', method: nameOf(property) ?? '' };
}

import { parseSync, Visitor } from 'oxc-parser';

/** One mention of another module. `url` names a file to load (a worker, an asset) and pulls in none of its code. */
export interface Import {
  readonly specifier: string;
  readonly how: 'value' | 'type' | 'url';
}

/** Every import of a source file, in whichever way it is written. Throws on a file that does not parse. */
export function readImports(file: string, source: string): Import[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const add = (specifier: unknown, how: Import['how']): void => {
    if (typeof specifier === 'string') imports.push(split(specifier, how));
  };
  // `import { type A }` still loads the module under verbatimModuleSyntax; only `import type` does not.
  new Visitor({
    ImportDeclaration(node) {
      add(node.source.value, kind(node.importKind));
    },
    ExportNamedDeclaration(node) {
      add(node.source?.value, kind(node.exportKind));
    },
    ExportAllDeclaration(node) {
      add(node.source.value, kind(node.exportKind));
    },
    ImportExpression(node) {
      add(literal(node.source), 'value');
    },
    TSImportType(node) {
      add(node.source.value, 'type');
    },
    NewExpression(node) {
      const [address, base] = node.arguments;
      const isUrl = node.callee.type === 'Identifier' && node.callee.name === 'URL';
      if (isUrl && isImportMetaUrl(base)) add(literal(address), 'url');
    },
  }).visit(program);
  return imports;
}

function kind(declared: 'type' | 'value' | null | undefined): 'type' | 'value' {
  return declared === 'type' ? 'type' : 'value';
}

/** Vite reads what stands behind a question mark: `?worker&url`, `?raw`. It names a file, and runs nothing of it here. */
function split(specifier: string, how: Import['how']): Import {
  const [path = '', query] = specifier.split('?');
  return { specifier: path, how: query === undefined ? how : 'url' };
}

interface AnyNode {
  readonly type: string;
}

function literal(node: AnyNode | undefined): unknown {
  if (node?.type === 'Literal') return (node as AnyNode & { value: unknown }).value;
  if (node?.type !== 'TemplateLiteral') return undefined;
  const { quasis } = node as AnyNode & { quasis: readonly { value: { cooked: string | null } }[] };
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
}

function isImportMetaUrl(node: AnyNode | undefined): boolean {
  if (node?.type !== 'MemberExpression') return false;
  const { object, property } = node as AnyNode & { object: AnyNode; property: AnyNode & { name?: string } };
  return object.type === 'MetaProperty' && property.name === 'url';
}

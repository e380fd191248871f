import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { filesIn } from '../sourceFiles.ts';
import { BROWSER_MAKERS, DATABASE_MAKERS, GLOBAL_TIMERS, LISTENERS, MAKERS, mayMake } from './kinds.ts';
import { type AnImport, StreamMakers } from './streamMakers.ts';

/** Everything below `root` that can fail and was not made by a helper, as `file: what`. */
export function findUnguarded(root: string): string[] {
  const server = filesIn(root, ['server', 'simulator'], /\.(ts|mjs)$/);
  const browser = filesIn(root, ['workers', 'shared', 'pages'], /\.(ts|tsx)$/).filter(
    (file) => !file.endsWith('vite.config.ts'),
  );
  const found: string[] = [];
  const look = (files: readonly string[], makersIn: (visit: Visit) => void): void => {
    for (const file of files) {
      const { program, errors } = parseSync(file, readFileSync(join(root, file), 'utf8'));
      if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
      const report = (what: string, how = what): void => void (mayMake(file, what) || found.push(`${file}: ${how}`));
      makersIn({ program, report });
    }
  };
  look(server, inServer);
  look(browser, inBrowser);
  return found;
}

interface Visit {
  readonly program: Parameters<Visitor['visit']>[0];
  /** `what` as the table of exceptions names it, `how` as it is reported. */
  readonly report: (what: string, how?: string) => void;
}

function inBrowser({ program, report }: Visit): void {
  new Visitor({
    NewExpression({ callee }) {
      if (callee.type === 'Identifier' && BROWSER_MAKERS.has(callee.name)) report(callee.name, `new ${callee.name}`);
    },
  }).visit(program);
}

function inServer({ program, report }: Visit): void {
  const streams = new StreamMakers(report);
  new Visitor({
    ImportDeclaration(node) {
      if (node.importKind === 'type') return;
      reportImport(node, report);
      streams.imported(node);
    },
    CallExpression(node) {
      const { callee } = node;
      streams.called(node);
      if (callee.type === 'Identifier' && GLOBAL_TIMERS.has(callee.name)) report('timer', callee.name);
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const owner = callee.object.type === 'Identifier' ? callee.object.name : '';
      const method = callee.property.name;
      if (owner === 'process' && method === 'nextTick') report('timer', 'process.nextTick');
      if (method === 'handleUpgrade') report('handleUpgrade');
      if (!LISTENERS.has(method)) return;
      if (owner === 'process') report('process.on');
      const [event, listener] = node.arguments;
      if (event?.type === 'Literal' && event.value === 'upgrade') report('upgrade', "on('upgrade')");
      if (listener !== undefined && 'async' in listener && listener.async) report('listener', `${method}(…, async …)`);
    },
    NewExpression(node) {
      const { callee } = node;
      const name = callee.type === 'Identifier' ? callee.name : memberOf(callee);
      if (DATABASE_MAKERS.has(name)) report('database', `new ${name}`);
      if (BROWSER_MAKERS.has(name) || name === 'WebSocketServer') report(name, `new ${name}`);
      streams.constructed(node);
    },
    ClassDeclaration: (node) => streams.extended(node),
    ClassExpression: (node) => streams.extended(node),
    ExpressionStatement({ expression }) {
      if (expression.type !== 'UnaryExpression' || expression.operator !== 'void') return;
      if (expression.argument.type === 'CallExpression') report('background', 'a promise that nobody waits for');
    },
  }).visit(program);
}

function reportImport({ source, specifiers }: AnImport, report: Visit['report']): void {
  const module = source.value.replace(/^node:/, '');
  const makers = MAKERS.get(module);
  if (makers === undefined) return;
  for (const { type, importKind, imported } of specifiers) {
    if (importKind === 'type') continue;
    if (type !== 'ImportSpecifier') report('module', `all of ${module}`);
    const name = imported !== undefined && 'name' in imported ? String(imported.name) : '';
    if (makers.has(name)) report(name, `${name} of ${module}`);
  }
}

function memberOf(callee: { readonly type: string }): string {
  if (callee.type !== 'MemberExpression') return '';
  const { property } = callee as { readonly type: string; readonly property: { readonly name?: string } };
  return property.name ?? '';
}

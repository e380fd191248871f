// docs/calls.md, from the OpenAPI document and the access that the routes declare.
import type { Access, DeclaredRoute } from '../../../../server/http/kernel/access.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { namesText, type Schema, schemaText } from './schemaText.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly access: Access;
}

const INTRODUCTION = `# Calls

All calls of the gateway: what each needs of its caller, takes and gives. What they mean, and what is common to all of them, is in
[contract.md](contract.md); \`GET /api/openapi.json\` is the machine-readable form, which also has the patterns of texts and long lists of codes.

- A field with \`?\` may be left out. Bounds of a text are its characters, those of a list its entries.
- *List*: the call also takes the query of a [list](contract.md#common-to-all-calls), and answers with a page of it; \`sort\` says by what it can be sorted.
- An answer is \`data\` of the envelope. Fields deeper than two levels are left out.
- *Needs*: permissions, all of them where several are separated by commas; *session*: any signed-in member; *link*: the credential of a link of this kind.

WebSockets are described in [contract.md](contract.md) and [stream-format.md](stream-format.md). \`npm run fix\` writes this file from the schemas of the calls.
`;

/** Query of a list, beside `sort` and the call's own filters. */
const LIST_QUERY = ['offset', 'after', 'before', 'start', 'descending', 'search', 'limit'];
/** Depth of an answer's fields that are named. */
const ANSWER_DEPTH = 2;

export function callsDocument(openApi: OpenApi, routes: readonly DeclaredRoute[]): string {
  const calls = callsOf(openApi, routes);
  const subjects = [...new Set(calls.map(({ path }) => subjectOf(path)))].sort();
  const sections = subjects.map((subject) => {
    const rows = calls.filter(({ path }) => subjectOf(path) === subject).map((call) => rowOf(call, openApi));
    return `\n## ${subject}\n\n| Call | What it does | Needs | Takes | Gives |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return INTRODUCTION + sections.join('');
}

function callsOf({ paths }: OpenApi, routes: readonly DeclaredRoute[]): readonly Call[] {
  return Object.keys(paths)
    .sort()
    .flatMap((path) =>
      Object.entries(paths[path] ?? {}).map(([name, operation]) => {
        const method = name.toUpperCase();
        const route = routes.find((one) => one.method === method && one.url.replaceAll(/:(\w+)/g, '{$1}') === path);
        if (route === undefined) throw new Error(`${method} ${path} is no route`);
        return { method, path, operation, access: route.access };
      }),
    );
}

/** The part of the address behind `/api`; what is outside stands together. */
function subjectOf(path: string): string {
  return /^\/api\/([^/]+)\//.exec(path)?.[1] ?? 'others';
}

function rowOf({ method, path, operation, access }: Call, { paths }: OpenApi): string {
  // A list as CSV takes what the list does.
  const list = path.endsWith('/csv') ? paths[path.replace(/\/csv$/, '')]?.get : undefined;
  const taken = takenText(operation);
  const cells = [
    `\`${method} ${path}\``,
    operation.summary ?? '',
    accessText(access),
    list !== undefined && takenText(list) === taken ? 'the same as the list' : taken,
    givenText(operation),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function accessText(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'nothing';
    case 'signed-in':
      return 'session';
    case 'permissions':
      return access.all.length === ALL_PERMISSIONS.length ? 'every permission' : access.all.map(codeSpan).join(', ');
    case 'any-permission':
      return access.any.map(codeSpan).join(' or ');
    case 'link':
      return access.link === 'any' ? 'link' : `link \`${access.link}\``;
    case 'link-or-permission':
      return `link \`${access.link}\`, or \`${access.permission}\``;
    case 'terminal':
      return 'token of a terminal';
    case 'metrics':
      return '`METRICS_TOKEN`';
  }
}

function takenText({ parameters = [], requestBody }: Operation): string {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const isList = ['after', 'limit'].every((name) => query.some((parameter) => parameter.name === name));
  const own = query.filter(({ name }) => !isList || !LIST_QUERY.includes(name));
  const fields = own.map(({ name, required, schema }) => `${name}${required ? '' : '?'}: ${schemaText(schema)}`);
  const parts = [
    isList ? 'list' : '',
    fields.length > 0 ? `query ${codeSpan(fields.join(', '))}` : '',
    requestBody === undefined ? '' : bodyText(requestBody.content),
  ];
  return parts.filter(Boolean).join('; ');
}

function bodyText(content: Content): string {
  const json = content['application/json']?.schema;
  return json === undefined
    ? `body of ${Object.keys(content).map(codeSpan).join(' or ')}`
    : `body ${codeSpan(schemaText(json))}`;
}

function givenText({ responses = {} }: Operation): string {
  const schema = responses['200']?.content?.['application/json']?.schema;
  const data = schema?.properties?.data ?? schema;
  if (data === undefined) return '';
  const rows = data.properties?.rows;
  if (rows !== undefined && data.properties?.hasMoreThanTotal !== undefined) {
    return `rows of ${codeSpan(namesText(rows.items ?? rows, ANSWER_DEPTH))}`;
  }
  const names = namesText(data, ANSWER_DEPTH);
  return names === '' ? '' : codeSpan(names);
}

function codeSpan(text: string): string {
  return `\`${text}\``;
}

import { existsSync, readdirSync } from 'node:fs';
import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Refused, refuse } from '../envelope.ts';

export interface LocalesDeps {
  /** The folder of the translation files, `{language}/{namespace}.json`. */
  readonly localesRoot: string;
}

const LANGUAGES = ['en', 'zh-TW', 'jp'];
const FILE = Type.Object({ lng: Type.String({ maxLength: 16 }), ns: Type.String({ maxLength: 64 }) });

/** `GET /locales/load/{lng}/{ns}`: a file that is on the list, as it is. */
export async function registerLocales(app: FastifyInstance, { localesRoot }: LocalesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const known = listTranslations(localesRoot);
  const schema = { summary: 'A translation file', params: FILE };
  routes.get('/locales/load/:lng/:ns', { schema, config: { access: { kind: 'public' } } }, (request, reply) => {
    const file = `${request.params.lng}/${request.params.ns}.json`;
    if (!known.has(file)) return refuse(reply, Refused.notFound);
    return reply.header('cache-control', 'no-cache').sendFile(file, localesRoot, { cacheControl: false });
  });
}

/** `{language}/{namespace}.json` of every file there is. */
function listTranslations(root: string): ReadonlySet<string> {
  const folders = LANGUAGES.filter((language) => existsSync(`${root}/${language}`));
  const files = folders.flatMap((language) => readdirSync(`${root}/${language}`).map((name) => `${language}/${name}`));
  return new Set(files.filter((file) => file.endsWith('.json')));
}

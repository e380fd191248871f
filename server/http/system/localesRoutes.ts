import { existsSync, readdirSync } from 'node:fs';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { MissingTranslationStore } from '../../store/system/missingTranslations.ts';
import { answers } from '../kernel/answers.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';

export interface LocalesDeps {
  /** The folder of the translation files, `{language}/{namespace}.json`. */
  readonly localesRoot: string;
  readonly missingTranslations: MissingTranslationStore;
  readonly now: () => WallMs;
  readonly onLimit: OnLimit;
}

const LANGUAGES = ['en', 'zh-TW', 'jp'];
const File = Type.Object({ lng: Type.String({ maxLength: 16 }), ns: Type.String({ maxLength: 64 }) });
const MissingKeys = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 200 });

/** Keys are short texts of one line; anything else was not written by our pages. */
const KEY_FORM = /^[^\p{Cc}]{1,200}$/u;

/** `GET /locales/load/{lng}/{ns}` and `POST /locales/add/{lng}/{ns}`. */
export async function registerLocales(app: FastifyInstance, deps: LocalesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { localesRoot, missingTranslations, now } = deps;
  // Listed once: a request only ever chooses from the list, so that no path is made of what it says.
  const known = listTranslations(localesRoot);

  routes.get(
    '/locales/load/:lng/:ns',
    { schema: { summary: 'A translation file', params: File }, config: { access: { kind: 'public' } } },
    (request, reply) => {
      const file = fileOf(request.params);
      if (!known.has(file)) return refuse(reply, Refused.notFound);
      reply.header('vary', 'accept-encoding').header('cache-control', 'no-cache');
      return reply.sendFile(file, localesRoot, { cacheControl: false });
    },
  );

  routes.post(
    '/locales/add/:lng/:ns',
    {
      schema: {
        summary: 'Notes keys that no translation file has',
        params: File,
        body: MissingKeys,
        response: answers(Nothing),
      },
      config: { access: { kind: 'signed-in' } },
    },
    async (request, reply) => {
      if (!known.has(fileOf(request.params))) return refuse(reply, Refused.notFound);
      const { lng, ns } = request.params;
      const keys = Object.keys(request.body).filter((key) => KEY_FORM.test(key));
      if ((await missingTranslations.note(lng, ns, keys, now())) > 0) deps.onLimit(missingTranslations.limit);
      return ok({});
    },
  );
}

function fileOf({ lng, ns }: { readonly lng: string; readonly ns: string }): string {
  return `${lng}/${ns}.json`;
}

/** `{language}/{namespace}.json` of every file there is. */
function listTranslations(root: string): ReadonlySet<string> {
  const folders = LANGUAGES.filter((language) => existsSync(`${root}/${language}`));
  const files = folders.flatMap((language) => readdirSync(`${root}/${language}`).map((name) => `${language}/${name}`));
  return new Set(files.filter((file) => file.endsWith('.json')));
}

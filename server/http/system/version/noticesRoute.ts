import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  NOTICE_TEXT_PATH,
  NOTICES_PATH,
  NoticeQuestion,
  Notices,
  NoticeText,
} from '../../../../shared/protocol/api/system/notices.ts';
import { answers } from '../../kernel/answers.ts';
import { ok, Refused, refuse } from '../../kernel/envelope.ts';
import { MAY_RUN_INSTALLATION as config } from './access.ts';
import { createNoticesReader } from './noticesFile.ts';

export interface NoticesDeps {
  /** What the build has written; none in development before the first build. */
  readonly noticesFile: string;
}

const NOT_BUILT = {
  status: 503,
  code: 'not-built',
  message: 'The notices are made when Fleetglass is built. Run npm run build, then try again.',
} as const;

/** `GET /api/version/notices` and `GET /api/version/notices/text`. */
export async function registerNotices(app: FastifyInstance, { noticesFile }: NoticesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const read = createNoticesReader(noticesFile);

  const list = { summary: 'What others have made and is shipped', response: answers(Notices) };
  routes.get(NOTICES_PATH, { schema: list, config }, async (_request, reply) => {
    const notices = await read();
    if (notices === undefined) return refuse(reply, NOT_BUILT);
    return ok({ packages: notices.map(({ text, ...notice }) => notice) });
  });

  const one = { summary: 'The text of a license', querystring: NoticeQuestion, response: answers(NoticeText) };
  routes.get(NOTICE_TEXT_PATH, { schema: one, config }, async (request, reply) => {
    const notices = await read();
    if (notices === undefined) return refuse(reply, NOT_BUILT);
    const { name, version } = request.query;
    // Looked up in the list, so that no path is made of what a request says.
    const found = notices.find((notice) => notice.name === name && notice.version === version);
    return found === undefined ? refuse(reply, Refused.notFound) : ok({ text: found.text });
  });
}

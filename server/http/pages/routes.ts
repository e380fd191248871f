import type {} from '@fastify/static';
import type {} from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/variables.ts';
import { mapOriginsOf } from '../fleet/mapSource.ts';
import { securityHeaders } from '../kernel/headers.ts';
import { missingPageNotice } from './notice.ts';
import { answerPage, listSiteFiles, type PageAnswer } from './siteFiles.ts';

export interface PageRoutesDeps {
  /** The folder of the built site. */
  readonly webRoot: string;
  readonly config: Pick<Config, 'frameAncestors' | 'mapStyleUrl' | 'mapOrigins'>;
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** The files of the built site. */
export async function registerPageRoutes(app: FastifyInstance, { webRoot, config }: PageRoutesDeps): Promise<void> {
  const mapOrigins = mapOriginsOf(config);
  const files = listSiteFiles(webRoot);
  if (files.count === 0) app.log.warn({ webRoot }, 'the pages are not built');

  app.get('/*', { config: { access: { kind: 'public' } }, schema: { hide: true } }, (request, reply) => {
    const answer = answerPage(pathOf(request), files);
    switch (answer.kind) {
      case 'file':
        return sendFile(reply, answer);
      case 'no-inner-page': {
        const notice = missingPageNotice(request.headers['accept-language']);
        return reply.code(404).header('vary', 'accept-language').type('text/html; charset=utf-8').send(notice);
      }
      case 'no-file':
        return reply.callNotFound();
    }
  });

  function sendFile(reply: FastifyReply, { file, cache, frame }: PageAnswer & { kind: 'file' }): FastifyReply {
    const origins = MAP_FILE.test(file) ? mapOrigins : [];
    reply.headers(securityHeaders(frame, config.frameAncestors, origins)).header('vary', 'accept-encoding');
    return cache === 'immutable'
      ? reply.sendFile(file, webRoot, { maxAge: YEAR_MS, immutable: true })
      : reply.header('cache-control', 'no-cache').sendFile(file, webRoot, { cacheControl: false });
  }
}

/**
 * The page with a map, and the map's worker, which loads the map's data under its own file's policy and not the page's:
 * nothing else may ask the map's sites for anything.
 */
const MAP_FILE = /^innerpage\/dashboard\.html$|^(?:innerpage\/)?assets\/maplibre-gl-worker[\w.-]*\.m?js$/;

/** The decoded path. The wildcard is what Fastify has decoded already; decoding twice would open a way around the list. */
function pathOf(request: FastifyRequest): string {
  return `/${(request.params as { '*': string })['*']}`;
}

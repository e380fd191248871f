// What templates would say, with an event of the caller's member group.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import {
  TEMPLATE_EVENTS_MAX,
  TEMPLATE_EVENTS_PATH,
  TEMPLATE_PRESETS_PATH,
  TEMPLATE_PREVIEW_PATH,
  TemplateEvents,
  TemplatePresets,
  TemplatePreview,
  TemplatePreviewRequest,
} from '../../../../shared/protocol/api/notify/templates.ts';
import { templateProblems } from '../../../../shared/protocol/notify/templateProblems.ts';
import { tidyTemplate } from '../../../notify/acts/templates.ts';
import { eventLink } from '../../../notify/templates/eventLink.ts';
import type { MessageFacts } from '../../../notify/templates/eventValues.ts';
import { madeUpEvent } from '../../../notify/templates/madeUpEvent.ts';
import { templatePresets } from '../../../notify/templates/presets/presets.ts';
import { previewTemplate } from '../../../notify/templates/preview.ts';
import { Wordings } from '../../../notify/templates/wordings.ts';
import { NO_EVENT } from '../../events/eventMediaRoutes.ts';
import { eventScopeOf } from '../../events/eventWorkDeps.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { ok, refuse } from '../../kernel/envelope.ts';
import { MAY_EDIT_TEMPLATES as config, type TemplateRoutesDeps } from './templateDeps.ts';
import { refusedTexts } from './templateRefusals.ts';

export function registerTemplatePreview(app: FastifyInstance, deps: TemplateRoutesDeps): void {
  registerPresets(app);
  registerEvents(app, deps);
  registerPreview(app, deps);
}

function registerPresets(app: FastifyInstance): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Texts that come with the product', response: answers(TemplatePresets) };
  routes.get(TEMPLATE_PRESETS_PATH, { schema, config }, () => ok(templatePresets()));
}

function registerEvents(app: FastifyInstance, { stores }: TemplateRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Newest events, to preview templates with', response: answers(TemplateEvents) };
  routes.get(TEMPLATE_EVENTS_PATH, { schema, config }, async (request) => {
    const page = await stores.eventList.page({ ...NEWEST, ...eventScopeOf(scopeOf(callerOf(request))) });
    return ok((page?.rows ?? []).map(shortEvent));
  });
}

const NEWEST = {
  search: '',
  sort: 'time',
  descending: true,
  position: { at: 'offset', offset: 0 },
  limit: TEMPLATE_EVENTS_MAX,
  wantsTotal: false,
} as const;

function shortEvent({ id, beginAtMs, type, severity, deviceName, deviceid }: EventRow) {
  return { id, beginAtMs, type, severity, deviceName: deviceName || deviceid };
}

function registerPreview(app: FastifyInstance, deps: TemplateRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, localesRoot, now, onLimit } = deps;
  const wordings = new Wordings({ eventTypes: stores.eventTypes, localesRoot, now });
  const schema = {
    summary: 'What a template would say in each language',
    body: TemplatePreviewRequest,
    response: answers(TemplatePreview),
  };
  const previewing = { ...config, changes: [] } as const;
  routes.post(TEMPLATE_PREVIEW_PATH, { schema, config: previewing }, async (request, reply) => {
    const { event: id, ...given } = request.body;
    const template = tidyTemplate({ ...given, name: '' });
    const refusal = refusedTexts(templateProblems(template));
    if (refusal !== undefined) return refuse(reply, refusal);
    const event = id === 0 ? madeUpEvent(now()) : await findEvent(request, id, deps);
    if (event === undefined) return refuse(reply, NO_EVENT);
    const facts = await factsFor(request, event, deps);
    return ok(await previewTemplate(template, event, facts, { wordings, onLimit }));
  });
}

async function findEvent(request: FastifyRequest, id: number, { stores }: TemplateRoutesDeps) {
  const found = await stores.eventList.find(id, eventScopeOf(scopeOf(callerOf(request))));
  return found?.event;
}

/** The facts of the message if the caller were the recipient. */
async function factsFor(
  request: FastifyRequest,
  event: EventRow,
  { serverInfo, config: { publicUrl = '' }, now }: TemplateRoutesDeps,
): Promise<MessageFacts> {
  const { user } = callerOf(request);
  return {
    ruleName: PREVIEWED.ruleName,
    step: 1,
    recipientName: user.displayName || user.username,
    key: PREVIEWED.key,
    sentAtMs: now(),
    siteTitle: (await serverInfo.read(false)).web_title ?? '',
    link: eventLink(publicUrl, event.id),
    timeZone: user.timeZone ?? '',
  };
}

const PREVIEWED = { ruleName: 'Critical events', key: '00000000-0000-4000-8000-000000000000' } as const;

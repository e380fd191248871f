import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ChangedTemplate,
  TEMPLATES_PATH,
  Template,
  TemplateContent,
  TemplateParams,
  TemplateVersionQuery,
} from '../../../../shared/protocol/api/notify/templates.ts';
import { Nothing } from '../../../../shared/protocol/api/records.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { conflictWith, ok, refuse } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { auditFieldsOf, refusalOf, tidyTemplate } from './templateContent.ts';
import { MAY_EDIT_TEMPLATES as config, type TemplateRoutesDeps } from './templateDeps.ts';
import { NO_TEMPLATE, OTHER_KIND, TEMPLATE_IN_USE, TOO_MANY_TEMPLATES } from './templateRefusals.ts';

type Deps = Pick<TemplateRoutesDeps, 'stores' | 'now'>;

const path = `${TEMPLATES_PATH}/:id`;
const params = TemplateParams;

/** `/api/template/templates`. */
export function registerTemplateChanges(app: FastifyInstance, deps: Deps): void {
  registerAdding(app, deps);
  registerChange(app, deps);
  registerRemoval(app, deps);
}

function registerAdding(app: FastifyInstance, deps: Deps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { notifyTemplates } = deps.stores;
  const schema = { summary: 'Adds a template', body: TemplateContent, response: answers(Template) };
  routes.post(TEMPLATES_PATH, { schema, config }, async (request, reply) => {
    const content = tidyTemplate(request.body);
    const refusal = await refusalOf(content, undefined, notifyTemplates);
    if (refusal !== undefined) return refuse(reply, refusal);
    const added = await notifyTemplates.add(content, changeOf(request, deps));
    if (!added.ok) return refuse(reply, TOO_MANY_TEMPLATES);
    await recordAudit(request, { action: 'template.add', target: content.name, after: auditFieldsOf(content) });
    return ok(added.value);
  });
}

function registerChange(app: FastifyInstance, deps: Deps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { notifyTemplates } = deps.stores;
  const schema = { summary: 'Changes a template', params, body: ChangedTemplate, response: answers(Template) };
  routes.put(path, { schema, config }, async (request, reply) => {
    const { version, ...body } = request.body;
    const id = Number(request.params.id);
    if ((await notifyTemplates.find(id)) === undefined) return refuse(reply, NO_TEMPLATE);
    const content = tidyTemplate(body);
    const refusal = await refusalOf(content, id, notifyTemplates);
    if (refusal !== undefined) return refuse(reply, refusal);
    const change = changeOf(request, deps);
    const done = await notifyTemplates.update({ id, version }, content, change);
    if (!done.ok) return refuseChange(reply, done.reason, { id, deps });
    await recordAudit(request, {
      action: 'template.change',
      target: done.value.name,
      before: auditFieldsOf(done.value),
      after: auditFieldsOf(content),
    });
    return ok({ ...content, id, version: version + 1, changedAtMs: change.atMs, changedBy: change.by });
  });
}

function registerRemoval(app: FastifyInstance, deps: Deps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { notifyTemplates } = deps.stores;
  const schema = {
    summary: 'Removes a template that no rule uses',
    params,
    querystring: TemplateVersionQuery,
    response: answers(Nothing),
  };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const id = Number(request.params.id);
    const done = await notifyTemplates.remove({ id, version: Number(request.query.version) });
    if (!done.ok) return refuseChange(reply, done.reason, { id, deps });
    const before = auditFieldsOf(done.value);
    await recordAudit(request, { action: 'template.remove', target: done.value.name, before });
    return ok({});
  });
}

function changeOf(request: FastifyRequest, { now }: Deps) {
  return { by: callerOf(request).user.username, atMs: now() };
}

interface Changing {
  readonly id: number;
  readonly deps: Deps;
}

async function refuseChange(
  reply: FastifyReply,
  reason: 'gone' | 'conflict' | 'kind' | 'used',
  { id, deps }: Changing,
): Promise<FastifyReply> {
  switch (reason) {
    case 'gone':
      return refuse(reply, NO_TEMPLATE);
    case 'kind':
      return refuse(reply, OTHER_KIND);
    case 'used':
      return refuse(reply, TEMPLATE_IN_USE);
    case 'conflict': {
      const current = await deps.stores.notifyTemplates.find(id);
      return refuse(reply, current === undefined ? NO_TEMPLATE : conflictWith(current));
    }
  }
}

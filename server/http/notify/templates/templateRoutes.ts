// Templates of messages: the list, its changes, and what they would say.
import type { FastifyInstance } from 'fastify';
import {
  TEMPLATE_SORTS,
  TEMPLATES_PATH,
  Template,
  TemplateFilters,
} from '../../../../shared/protocol/api/notify/templates.ts';
import { createTemplateActs } from '../../../notify/acts/templates.ts';
import { listRoutes } from '../../kernel/lists/listRoutes.ts';
import { registerTemplateChanges } from './templateChanges.ts';
import { MAY_EDIT_TEMPLATES, type TemplateRoutesDeps } from './templateDeps.ts';
import { registerTemplatePreview } from './templatePreview.ts';

export async function registerTemplateRoutes(app: FastifyInstance, deps: TemplateRoutesDeps): Promise<void> {
  const { stores, bus, now } = deps;
  const { notifyTemplates, audit } = stores;
  listRoutes(app, {
    path: TEMPLATES_PATH,
    summary: 'Templates of messages',
    access: MAY_EDIT_TEMPLATES.access,
    row: Template,
    sorts: TEMPLATE_SORTS,
    order: { sort: 'name', descending: false },
    filters: TemplateFilters,
    scope: () => undefined,
    load: ({ filters, ...query }) => notifyTemplates.page({ ...query, ...filters }),
    csv: {
      fileName: 'templates.csv',
      columns: ['name', 'kind', 'languages', 'fallback', 'changedAt', 'changedBy'],
      cells:
        () =>
        ({ name, kind, texts, fallback, changedAtMs, changedBy }) => [
          name,
          kind,
          Object.keys(texts).join(' '),
          fallback,
          new Date(changedAtMs).toISOString(),
          changedBy,
        ],
    },
  });
  registerTemplatePreview(app, deps);
  registerTemplateChanges(app, createTemplateActs({ store: notifyTemplates, audit, bus, now }));
}

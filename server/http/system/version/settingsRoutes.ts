// `/api/version/settings`: what administrators set of the installation, beside the presets of its environment.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  ChangedServerSettings,
  SERVER_SETTINGS_PATH,
  ServerSettings,
} from '../../../../shared/protocol/api/system/settings.ts';
import type { SettingStore } from '../../../store/system/settings.ts';
import { answers } from '../../kernel/answers.ts';
import { conflictWith, ok, refuse, refusedFields } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { columnsOf, type Presets, serverSettings, settingValues } from '../serverSettings.ts';
import { MAY_RUN_INSTALLATION } from './access.ts';

export interface SettingsRoutesDeps {
  readonly stores: { readonly settings: Pick<SettingStore, 'getVersioned' | 'change'> };
  readonly serverPresets: Presets;
}

export async function registerServerSettings(app: FastifyInstance, deps: SettingsRoutesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, serverPresets } = deps;
  const config = { ...MAY_RUN_INSTALLATION, changes: ['setting'] } as const;
  const response = answers(ServerSettings);
  const shown = async () => {
    const { stored, version } = await stores.settings.getVersioned();
    return serverSettings(stored, version, serverPresets);
  };
  routes.get(
    SERVER_SETTINGS_PATH,
    { schema: { summary: 'Settings of the installation', response }, config },
    async () => ok(await shown()),
  );

  const changing = { summary: 'Changes settings of the installation', body: ChangedServerSettings, response };
  routes.put(SERVER_SETTINGS_PATH, { schema: changing, config }, async (request, reply) => {
    const { version, ...values } = request.body;
    const columns = columnsOf(values);
    if (columns === undefined) return refuse(reply, refusedFields({ licenseExpires: 'bad-format' }));
    const before = settingValues((await stores.settings.getVersioned()).stored);
    if (!(await stores.settings.change(version, columns))) return refuse(reply, conflictWith(await shown()));
    const settings = await shown();
    const { webTitle, liveLayout, playbackLayout, maxLicense, licenseExpires } = settings;
    const after = { webTitle, liveLayout, playbackLayout, maxLicense, licenseExpires };
    await recordAudit(request, { action: 'setting.change', before: { ...before }, after });
    return ok(settings);
  });
}

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ShortText } from '../../../shared/protocol/api/records.ts';
import type { DeviceInfo } from '../../../shared/protocol/api.ts';
import type { PlanVideo } from '../../../shared/protocol/netflow/netflowWords.ts';
import type { LinkOpened } from '../../auth/linkAccess.ts';
import { EnvelopeOf, ErrorAnswers, ok, Refused, refuse } from '../kernel/envelope.ts';

type DeviceDescription = Required<Omit<DeviceInfo, 'exportchs'>> & {
  /** Left out: there are no data plans. */
  readonly planVideo?: PlanVideo;
};

/** What a device's channels are now; the device side of the gateway knows. */
export interface DeviceDirectory {
  /** Undefined for a device that does not exist. */
  describe(deviceId: string): Promise<DeviceDescription | undefined>;
}

export interface DeviceDeps {
  readonly directory: DeviceDirectory;
}

const LinkQuery = Type.Object({ username: ShortText, credential: ShortText, deviceid: ShortText });
const Bits = Type.String({ pattern: '^[01]*$' });
const Info = Type.Object({
  chn: Type.Integer(),
  installchs: Bits,
  livechs: Bits,
  ptzchs: Bits,
  talkchs: Bits,
  exportchs: Bits,
  name: Type.String(),
  plate: Type.String(),
  online: Type.Boolean(),
  seenAtMs: Type.Number(),
});

/** `GET /api/device/device`: the device that a link opens. */
export async function registerDevice(app: FastifyInstance, { directory }: DeviceDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'The device that a link opens',
    querystring: LinkQuery,
    response: { 200: EnvelopeOf(Info), ...ErrorAnswers },
  };
  const config = { access: { kind: 'link', link: 'any' } } as const;
  routes.get('/api/device/device', { schema, config }, async (request, reply) => {
    const link = request.linkOpened;
    const info = link === undefined ? undefined : await directory.describe(link.device.deviceId);
    return link === undefined || info === undefined ? refuse(reply, Refused.link) : ok(forLink(info, link));
  });
}

/** What the link may move, talk to and export, of what there is. */
function forLink(info: DeviceDescription, { credential, opensChannel, mayTalk }: LinkOpened): Required<DeviceInfo> {
  const { kinds } = credential;
  const own = (bits: string, isAllowed: boolean): string =>
    bits.replaceAll('1', (_, at: number) => (isAllowed && opensChannel(at + 1) ? '1' : '0'));
  return {
    ...info,
    ptzchs: own(info.ptzchs, kinds.has('control')),
    talkchs: own(info.talkchs, mayTalk),
    exportchs: own('1'.repeat(info.chn), kinds.has('export')),
  };
}

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  DEVICE_VIEW_PATH,
  DeviceView,
  DeviceViewRequest,
  LINK_KINDS,
  type LinkKind,
} from '../../../shared/protocol/api/links.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { hashSecret } from '../../auth/secrets.ts';
import { createSessionSecrets } from '../../auth/sessionSecrets.ts';
import type { Stores } from '../../store/stores.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';

export interface ViewDeps {
  readonly stores: Pick<Stores, 'linkCredentials' | 'devices' | 'memberGroups'>;
  readonly now: () => WallMs;
}

/** All channels: which of them there are, the pages ask for themselves. */
const EVERY_CHANNEL = 2 ** 32 - 1;

/**
 * `POST /api/device/view`: with what our own pages open a device's video. Seeing the device is all that watching it and
 * turning its cameras take, as the dashboard takes no permission; taking recordings away takes `export`. Whether the credential
 * opens the loudspeaker is asked when it is used.
 */
export async function registerView(app: FastifyInstance, { stores, now }: ViewDeps): Promise<void> {
  const secretFor = createSessionSecrets();
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    DEVICE_VIEW_PATH,
    {
      schema: {
        summary: "A credential for a device's video that ends with the session",
        body: DeviceViewRequest,
        response: answers(DeviceView),
      },
      config: { access: { kind: 'signed-in' } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { user, session } = caller;
      const { deviceid } = request.body;
      const { memberGroup } = scopeOf(caller);
      const isSeen = await stores.memberGroups.userSeesDevice(user.id, deviceid, memberGroup);
      const device = isSeen ? await stores.devices.findByDeviceId(deviceid) : undefined;
      if (device === undefined || device.disabled) return refuse(reply, Refused.device);
      const kinds = grantedKinds(request.body.kinds, user.permissions);
      // The same question gets the same credential: a wall that goes round for weeks leaves no trail of them.
      const secret = secretFor([session.idHash, deviceid, ...kinds]);
      const bound = { secretHash: hashSecret(secret), ownerId: user.id, deviceId: deviceid, kinds };
      await stores.linkCredentials.ensure(
        { ...bound, channelMask: EVERY_CHANNEL, sessionIdHash: session.idHash },
        now(),
      );
      return ok({ link: [deviceid, user.username, secret].map(encodeURIComponent).join('/'), kinds });
    },
  );
}

/** Pure. In the order of the kinds, whatever the order requested. */
function grantedKinds(
  requested: readonly LinkKind[],
  permissions: ReadonlySet<string> | readonly string[],
): LinkKind[] {
  const held = new Set(permissions);
  return LINK_KINDS.filter((kind) => requested.includes(kind) && (kind !== 'export' || held.has(Permission.Export)));
}

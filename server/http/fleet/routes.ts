// The dashboard's own calls. Every user has the page, so a session is enough; what is shown is of its current group.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { MapSource } from '../../../shared/protocol/api/fleet.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { Config } from '../../config/variables.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Log } from '../../process/log.ts';
import type { MemberGroupStore } from '../../store/accounts/memberGroups.ts';
import type { Stores } from '../../store/stores.ts';
import type { DeviceDirectory } from '../devices/deviceRoute.ts';
import { callerOf } from '../kernel/caller.ts';
import { EnvelopeOf, ErrorAnswers, ok, Refused, refuse } from '../kernel/envelope.ts';
import { ShortText } from '../kernel/fields.ts';
import { dashboardFigures, devicesWithAlarm, type FiguresDeps, systemFigures } from './figures.ts';
import { MapFile } from './mapFile.ts';
import { registerMapFile } from './mapFileRoute.ts';
import { type MapVariable, mapSourceOf } from './mapSource.ts';
import { registerWalls } from './wallRoutes.ts';

export interface FleetRoutesDeps extends Omit<DashboardDeps, 'mapSource' | 'memberGroups'> {
  readonly stores: Stores;
  readonly config: Pick<Config, MapVariable>;
  readonly log: Log;
  readonly onLimit: OnLimit;
}

export interface DashboardDeps {
  readonly figures: FiguresDeps;
  readonly mapSource: MapSource;
  readonly directory: DeviceDirectory;
  readonly memberGroups: Pick<MemberGroupStore, 'userSeesDevice'>;
}

const Count = Type.Integer({ minimum: 0 });
const Counts = Type.Object({
  total: Count,
  online: Count,
  offline: Count,
  moving: Count,
  parked: Count,
  alarm: Count,
  never: Count,
  videoLoss: Count,
});
const Rate = Type.Object({
  rate: Type.Union([Type.Number(), Type.Null()]),
  points: Type.Array(Type.Object({ atMs: Type.Number(), rate: Type.Number() })),
  stepMs: Type.Integer(),
});
const Figures = Type.Object({
  atMs: Type.Number(),
  counts: Counts,
  onlineDay: Rate,
  onlineMonth: Rate,
  alarms: Type.Array(Type.Object({ alarm: Type.Integer(), count: Count })),
  busiest: Type.Array(
    Type.Object({ deviceid: Type.String(), name: Type.String(), plate: Type.String(), count: Count }),
  ),
});

/** Of the alarm word, 0 to 31. */
const AlarmBit = Type.String({ pattern: '^(?:[12]?\\d|3[01])$' });
const AlarmDevice = Type.Object({ deviceid: Type.String(), count: Count });

const Days = Type.Union([Type.Number(), Type.Null()]);
const Bytes = Type.Number();
const System = Type.Object({
  version: Type.String(),
  disk: Type.Object({
    state: Type.String(),
    freeBytes: Bytes,
    totalBytes: Bytes,
    recordedBytes: Bytes,
    bytesPerDay: Bytes,
    daysOfRoom: Days,
    daysUntilFull: Days,
  }),
  cpu: Type.Object({ machineShare: Type.Number(), gatewayShare: Type.Number(), cores: Type.Integer() }),
  memory: Type.Object({ gatewayBytes: Bytes, machineUsedBytes: Bytes, machineTotalBytes: Bytes }),
  relay: Type.Object({ inBytesPerSecond: Bytes, outBytesPerSecond: Bytes, channels: Count, viewers: Count }),
  licence: Type.Object({ devices: Count, usedDevices: Count, expiresAtMs: Type.Number() }),
});

const Details = Type.Object({
  deviceid: Type.String(),
  name: Type.String(),
  plate: Type.String(),
  chn: Type.Integer(),
  installchs: Type.String(),
  livechs: Type.String(),
  ptzchs: Type.String(),
  talkchs: Type.String(),
});

const SIGNED_IN = { access: { kind: 'signed-in' } } as const;
const SYSTEM = { access: { kind: 'permissions', all: [Permission.System] } } as const;

/** The dashboard: its figures, its map and its video walls. */
export async function registerFleetRoutes(app: FastifyInstance, deps: FleetRoutesDeps): Promise<void> {
  const { stores, config, onLimit } = deps;
  await registerDashboard(app, { ...stores, ...deps, mapSource: mapSourceOf(config) });
  await registerMapFile(app, { mapFile: await openMapFile(deps), onLimit });
  await registerWalls(app, stores);
}

async function openMapFile({ config, log }: FleetRoutesDeps): Promise<MapFile | undefined> {
  if (config.mapPmtiles === undefined) return undefined;
  const mapFile = new MapFile({ path: config.mapPmtiles, log });
  await mapFile.check();
  return mapFile;
}

export async function registerDashboard(app: FastifyInstance, deps: DashboardDeps): Promise<void> {
  await registerFigures(app, deps.figures);
  await registerMap(app, deps);
}

async function registerFigures(app: FastifyInstance, deps: FiguresDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.get(
    '/api/dashboard/figures',
    {
      schema: { summary: "The current group's figures", response: { 200: EnvelopeOf(Figures), ...ErrorAnswers } },
      config: SIGNED_IN,
    },
    async (request) => {
      const { session } = callerOf(request);
      const { alarms, busiest, ...rest } = await dashboardFigures(session.memberGroup, deps);
      return ok({ ...rest, alarms: [...alarms], busiest: [...busiest] } as Type.Static<typeof Figures>);
    },
  );
  routes.get(
    '/api/dashboard/alarmdevices',
    {
      schema: {
        summary: 'The devices behind a kind of alarm',
        querystring: Type.Object({ alarm: AlarmBit }),
        response: { 200: EnvelopeOf(Type.Array(AlarmDevice)), ...ErrorAnswers },
      },
      config: SIGNED_IN,
    },
    async (request) => {
      const { session } = callerOf(request);
      const devices = await devicesWithAlarm(session.memberGroup, Number(request.query.alarm), deps);
      return ok(devices.map(({ deviceId, count }) => ({ deviceid: deviceId, count })));
    },
  );
  routes.get(
    '/api/dashboard/system',
    {
      schema: { summary: 'How machine and gateway fare', response: { 200: EnvelopeOf(System), ...ErrorAnswers } },
      config: SYSTEM,
    },
    async () => ok(await systemFigures(deps)),
  );
}

async function registerMap(app: FastifyInstance, deps: DashboardDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const Source = Type.Object({ styleUrl: Type.String(), pmtilesUrl: Type.String(), attribution: Type.String() });
  routes.get(
    '/api/dashboard/map',
    {
      schema: { summary: "The map's background", response: { 200: EnvelopeOf(Source), ...ErrorAnswers } },
      config: SIGNED_IN,
    },
    () => ok(deps.mapSource),
  );
  routes.get(
    '/api/dashboard/device',
    {
      schema: {
        summary: "A device of the current group, with its channels' states",
        querystring: Type.Object({ deviceid: ShortText }),
        response: { 200: EnvelopeOf(Details), ...ErrorAnswers },
      },
      config: SIGNED_IN,
    },
    async (request, reply) => {
      const { user, session } = callerOf(request);
      const deviceId = request.query.deviceid;
      const group = session.memberGroup;
      const sees = group !== undefined && (await deps.memberGroups.userSeesDevice(user.id, deviceId, group));
      const state = await deps.figures.stateOf(group);
      const row = state.devices.get(deviceId);
      const channels = sees ? await deps.directory.describe(deviceId) : undefined;
      if (channels === undefined || row === undefined) return refuse(reply, Refused.device);
      return ok({ deviceid: deviceId, name: row.name, plate: row.plate, ...channels });
    },
  );
}

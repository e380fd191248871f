import { EVENT_NAMESPACES } from '../../../shared/ui/events/namespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { GpsPlaybackPage } from './GpsPlaybackPage.tsx';

await mountPage(<GpsPlaybackPage />, [...FRAME_NAMESPACES, ...EVENT_NAMESPACES, 'GpsPlayback', 'Map']);

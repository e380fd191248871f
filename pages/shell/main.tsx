import { markShell } from '../../shared/ui/frame/shellWindow.ts';
import { mountPage } from '../../shared/ui/mountPage.tsx';
import { Shell } from './Shell.tsx';

markShell();
await mountPage(<Shell />, ['Menu', 'Shell', 'Frame']);

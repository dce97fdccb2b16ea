import type { NewStream, Profile } from 'livestream-mock';
import { element } from './dom.ts';

/** The renditions that the service recommends. */
const profiles: Profile[] = [
  { name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 },
  { name: '480p', bitrate: 1_000_000, fps: 30, width: 854, height: 480 },
  { name: '360p', bitrate: 500_000, fps: 30, width: 640, height: 360 },
];

/** The form for a new stream. It keeps its text until `create` succeeds. */
export function streamForm(create: (stream: NewStream) => Promise<boolean>): HTMLFormElement {
  const name = element('input', { name: 'name', autocomplete: 'off', required: true });
  const transcode = element('input', { type: 'checkbox', defaultChecked: true });
  const form = element(
    'form',
    { className: 'card' },
    element('h2', {}, 'New stream'),
    element('label', { className: 'field' }, 'Name', name),
    element('label', {}, transcode, ' Transcode to 720p, 480p, 360p'),
    element('button', {}, 'Create stream'),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const created = await create({ name: name.value, ...(transcode.checked && { profiles }) });
    if (created) form.reset();
  });
  return form;
}

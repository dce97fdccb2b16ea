/**
 * The script of the HTML report, which can be read without it: it counts what the filter shows, hides
 * empty areas, opens all requirements, and opens the one that a link leads to. The page's policy names
 * its hash, {@link scriptHash}, so that no other script can run.
 */
export const script: string = `
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const isShown = (item) => getComputedStyle(item).display !== 'none';
const requirements = all('.requirement');
const tools = document.querySelector('.tools');
const button = tools.querySelector('button');
const update = () => {
  for (const area of all('.area')) area.hidden = !all('.requirement', area).some(isShown);
  const shown = requirements.filter(isShown);
  tools.querySelector('[role=status]').textContent =
    [shown.length, 'of', requirements.length, 'shown'].join(' ');
  const allOpen = shown.length > 0 && shown.every((item) => item.open);
  button.textContent = allOpen ? 'Close all' : 'Open all';
};
const follow = () => {
  const item = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (item instanceof HTMLDetailsElement) item.open = true;
};
button.addEventListener('click', () => {
  const open = button.textContent === 'Open all';
  for (const item of requirements.filter(isShown)) item.open = open;
});
for (const item of requirements) item.addEventListener('toggle', update);
for (const box of all('.filter input')) box.addEventListener('change', update);
addEventListener('hashchange', follow);
tools.hidden = false;
follow();
update();
`;

/** SHA-256 of {@link script}; a test prints the right one when the script changes. */
export const scriptHash = 'sha256-+RI5gYEXsDBWOJ4zagSwdJ8x3XW3FoMXmbda/j4CWH8=';

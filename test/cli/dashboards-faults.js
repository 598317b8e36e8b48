// What is wrong with the page that it is run in, one sentence for each fault.
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const faults = [];
  const check = (fine, what) => fine || faults.push(what);

  check(document.documentElement.lang === 'en', 'the language is not said');
  check(document.title !== '', 'there is no title');
  check(all('h1').length === 1, 'there is not exactly one h1');
  check(all('main').length === 1, 'there is not exactly one main part');
  check(
    document.documentElement.scrollWidth <= window.innerWidth,
    `the page is wider than its window: ${document.documentElement.scrollWidth}`,
  );

  const levels = all('h1,h2,h3,h4').map((heading) => Number(heading.tagName[1]));
  for (const [at, level] of levels.entries())
    check(at === 0 || level <= levels[at - 1] + 1, `heading ${at} jumps to h${level}`);

  const ids = all('[id]').map(({ id }) => id);
  check(new Set(ids).size === ids.length, 'two elements have the same ID');
  for (const link of all('a')) check(document.getElementById(link.hash.slice(1)), `${link.hash} leads nowhere`);
  for (const svg of all('svg')) check(svg.getAttribute('aria-label') && svg.role === 'img', 'a drawing has no words');
  for (const svg of all('svg')) check(svg.getBoundingClientRect().width >= 60, 'a bar is too short to be seen');
  for (const th of all('th')) check(th.scope, `the header ${th.textContent} has no scope`);
  for (const part of all('[role=region],nav'))
    check(part.ariaLabel || part.getAttribute('aria-labelledby'), 'a region has no name');

  const parts = (color) => color.match(/[\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = parts(color).map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    if (!element) return 'rgb(255, 255, 255)';
    const { backgroundColor } = getComputedStyle(element);
    return parts(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor;
  };
  const texts = all('body *').filter((one) =>
    [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()),
  );
  check(texts.length > 20, 'there is hardly any text');
  for (const one of texts) {
    const [front, back] = [light(getComputedStyle(one).color), light(behind(one))];
    const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    check(contrast >= 4.5, `"${one.textContent.slice(0, 30)}" has a contrast of ${contrast.toFixed(2)}`);
    check(
      one.closest('.people') || one.getBoundingClientRect().right <= window.innerWidth + 1,
      `"${one.textContent}" is cut off`,
    );
  }
  return [...new Set(faults)];
})();

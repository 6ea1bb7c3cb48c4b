// Every text that is seen or read aloud on the page; not code, and not what is always in its own language.
() => {
  const own = "[aria-hidden=true], code, pre, kbd, textarea, body [lang], script, style, .formula, .generic li";
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!parent.closest(own) && walker.currentNode.data.trim()) found.push(walker.currentNode.data.trim());
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const one of document.querySelectorAll(`[${name}]`)) if (!one.closest(own)) found.push(one.getAttribute(name));
  return found;
};

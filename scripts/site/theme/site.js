/** Search, theme, menu and copying of a page. Without it the page can be read, and its links work. */
(() => {
  const html = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const MAX_RESULTS = 20;
  const SNIPPET_BEFORE = 60;
  const SNIPPET_LENGTH = 180;

  // Theme
  const themeButton = byId('theme');
  const themeNow = () => html.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const labelTheme = () => {
    themeButton.textContent = themeNow() === 'dark' ? 'Light' : 'Dark';
    themeButton.setAttribute('aria-label', `Use the ${themeNow() === 'dark' ? 'light' : 'dark'} theme`);
  };
  themeButton.addEventListener('click', () => {
    html.dataset.theme = themeNow() === 'dark' ? 'light' : 'dark';
    labelTheme();
    try {
      localStorage.setItem('sinebar-docs-theme', html.dataset.theme);
    } catch {
      // The choice holds for this page only.
    }
  });
  labelTheme();
  themeButton.hidden = false;

  // Menu, on narrow screens
  const menuButton = byId('menu');
  const setMenu = (isOpen) => {
    menuButton.setAttribute('aria-expanded', String(isOpen));
    html.toggleAttribute('data-menu', isOpen);
  };
  menuButton.addEventListener('click', () => setMenu(!html.hasAttribute('data-menu')));
  menuButton.hidden = false;
  html.setAttribute('data-script', '');

  // Copying of code; browsers allow it on secure pages only.
  for (const code of document.querySelectorAll('article pre')) {
    const box = document.createElement('div');
    box.className = 'code';
    code.replaceWith(box);
    box.append(code);
    if (!navigator.clipboard) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const isCopied = await navigator.clipboard.writeText(code.textContent).then(
        () => true,
        () => false,
      );
      button.textContent = isCopied ? 'Copied' : 'Not allowed';
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
    box.append(button);
  }

  // Boxes that scroll are reached by the keyboard.
  const reachBoxes = () => {
    for (const box of document.querySelectorAll('article .table, article pre')) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute('tabindex');
    }
  };
  reachBoxes();
  addEventListener('resize', reachBoxes);

  // Search
  const field = byId('search');
  const found = byId('found');
  const count = byId('count');
  let index;
  const loadIndex = () => {
    index ??= new Promise((done, fail) => {
      const script = document.createElement('script');
      script.src = `${html.dataset.root}theme/search.js`;
      script.addEventListener('load', () => {
        const search = new globalThis.MiniSearch({
          fields: ['title', 'page', 'text'],
          storeFields: ['title', 'page', 'text', 'url', 'weight'],
        });
        search.addAll(globalThis.SECTIONS.map((section, id) => ({ id, ...section })));
        done(search);
      });
      script.addEventListener('error', () => fail(new Error('The search could not be loaded.')));
      document.head.append(script);
    });
    return index;
  };
  const snippetOf = (text, terms) => {
    const lower = text.toLowerCase();
    const first = Math.min(...terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0), text.length);
    // The first whole word.
    const start = first === text.length || first <= SNIPPET_BEFORE ? 0 : text.indexOf(' ', first - SNIPPET_BEFORE) + 1;
    return `${start > 0 ? '… ' : ''}${text.slice(start, start + SNIPPET_LENGTH)}${start + SNIPPET_LENGTH < text.length ? ' …' : ''}`;
  };
  const lineOf = (className, text) => {
    const line = document.createElement('span');
    line.className = className;
    line.textContent = text;
    return line;
  };
  const show = (results, words) => {
    const list = document.createElement('ul');
    for (const { title, page, text, url, terms } of results.slice(0, MAX_RESULTS)) {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = html.dataset.root + url;
      link.append(lineOf('where', title === page ? title : `${page} › ${title}`), lineOf('snippet', snippetOf(text, terms)));
      item.append(link);
      list.append(item);
    }
    const nothing = lineOf('snippet', `No page has “${words}”.`);
    found.replaceChildren(results.length > 0 ? list : nothing);
    found.hidden = false;
    count.textContent = `${results.length} results`;
  };
  const close = () => {
    found.hidden = true;
    count.textContent = '';
  };
  const search = async () => {
    const words = field.value.trim();
    if (words === '') return close();
    try {
      const ready = await loadIndex();
      if (words !== field.value.trim()) return;
      const options = {
        boost: { title: 4, page: 2 },
        boostDocument: (id, term, { weight }) => weight,
        prefix: (term) => term.length > 2,
        combineWith: 'AND',
      };
      const exact = ready.search(words, options);
      show(exact.length > 0 ? exact : ready.search(words, { ...options, fuzzy: 0.2, combineWith: 'OR' }), words);
    } catch (error) {
      found.replaceChildren(lineOf('snippet', error.message));
      found.hidden = false;
    }
  };
  field.addEventListener('focus', () => void loadIndex().catch(() => undefined));
  field.addEventListener('input', () => void search());
  const links = () => [...found.querySelectorAll('a')];
  document.querySelector('.search').addEventListener('keydown', (event) => {
    const position = links().indexOf(document.activeElement);
    if (event.key === 'Escape') {
      close();
      field.focus();
    } else if (event.key === 'ArrowDown') links()[position + 1]?.focus();
    else if (event.key === 'ArrowUp') (links()[position - 1] ?? field).focus();
    else if (event.key === 'Enter' && document.activeElement === field) links()[0]?.click();
    else return;
    event.preventDefault();
  });
  document.addEventListener('click', ({ target }) => {
    if (target.closest('.search') === null || target.closest('#found a') !== null) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
    const isShortcut = (event.key === '/' && !isTyping) || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey));
    if (!isShortcut) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
})();

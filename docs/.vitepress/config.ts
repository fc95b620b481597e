import { copyFileSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { expandTerm } from './expand-term.ts';
import { asInTheRepository } from './markdown.ts';
import { addressOf, CHINESE, notPages } from './pages.ts';
import { boostDocument, oneIndexForAll, tokenize } from './search.ts';
import { chineseSidebar, menuOf, sidebar } from './sidebar.ts';
import { slugOf } from './slug.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const config = defineConfig({
  srcDir: '..',
  srcExclude: notPages,
  rewrites: addressOf,
  title: 'Carillon',
  description: 'A self-hosted push platform for ten vendor channels and MQTT.',
  head: [['link', { rel: 'icon', href: '/bell.svg', type: 'image/svg+xml' }]],
  markdown: {
    // Pages are also read in repository viewers, which show text that looks like a tag, an attribute or an emoji as
    // plain text. The site must do the same.
    html: false,
    attrs: { disable: true },
    anchor: { slugify: slugOf },
    config: (md) => asInTheRepository(md, root),
  },
  vite: {
    publicDir: join(root, 'docs/.vitepress/public'),
    plugins: [oneIndexForAll],
    optimizeDeps: { entries: [] }, // otherwise Vite searches every HTML file of the repository for scripts
    build: { chunkSizeWarningLimit: 2_000 }, // kilobytes: the search index is one file, which is fetched at the first search
  },
  locales: {
    root: { label: 'English', lang: 'en' },
    [CHINESE]: {
      label: '简体中文',
      lang: 'zh-CN',
      description: '可私有化部署的推送平台（自托管），支持十家厂商通道和 MQTT。',
      themeConfig: {
        nav: chineseSidebar()[0]?.items ?? [],
        sidebar: chineseSidebar(),
        outline: { label: '本页内容', level: [2, 3] },
        docFooter: { prev: '上一页', next: '下一页' },
        darkModeSwitchLabel: '外观',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '语言',
      },
    },
  },
  themeConfig: {
    logo: '/bell.svg',
    nav: [
      { text: 'Quickstart', link: '/start/quickstart' },
      menuOf('Guides', 'Backend guides', 'App guides', 'Migrate'),
      menuOf('Vendors', 'Vendor guides'),
      menuOf('Operate', 'Operate'),
      { text: 'Reference', link: '/reference/http/', activeMatch: '^/reference/' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    // Only a few pages are in Chinese, so a language switch leads to the first page of that language.
    i18nRouting: false,
    search: {
      provider: 'local',
      options: {
        miniSearch: { options: { tokenize }, searchOptions: { boostDocument, processTerm: expandTerm } },
        locales: {
          [CHINESE]: {
            translations: {
              button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
              modal: {
                displayDetails: '显示详情',
                resetButtonTitle: '清空',
                backButtonTitle: '关闭',
                noResultsText: '没有找到',
                footer: { selectText: '选择', navigateText: '切换', closeText: '关闭' },
              },
            },
          },
        },
      },
    },
  },
  buildEnd: ({ outDir }) => {
    for (const schema of globSync('docs/*.json', { cwd: root }))
      copyFileSync(join(root, schema), join(outDir, basename(schema)));
  },
});

// VitePress requires a default export.
export { config as default };

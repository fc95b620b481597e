-- Why: a web page of another origin can call the API only if the app allows this origin.

-- Origins such as https://shop.example.com. Empty: the API sends no CORS headers for the app.
alter table apps add column cors_origins text[] not null default '{}';

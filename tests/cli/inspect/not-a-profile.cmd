inspect bad/login.html

run script.py
